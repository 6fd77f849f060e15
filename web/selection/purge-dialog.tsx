/** Asks for confirmation before photos in the trash are permanently deleted. */
import { t } from '../messages/messages.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import type { BulkDialogProps } from './dialog-props.ts';

export function PurgePhotosDialog({ photos, onClose, onChange }: Omit<BulkDialogProps, 'user'>) {
  const count = photos.length;
  return (
    <ConfirmDialog
      title={t('purgeTitle', { count })}
      text={t('purgeText', { count })}
      action={t('purgeAction', { count })}
      onClose={onClose}
      onConfirm={() => onChange({ action: 'purge' })}
    />
  );
}
