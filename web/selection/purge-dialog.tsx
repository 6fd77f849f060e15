/** Asks before photos in the trash are deleted for good. */
import { t } from '../messages/messages.ts';
import { Confirm } from '../ui/confirm.tsx';
import type { QuestionProps } from './question-props.ts';

export function PurgeDialog({ photos, onClose, onChange }: QuestionProps) {
  const count = photos.length;
  return (
    <Confirm
      title={t('purgeTitle', { count })}
      text={t('purgeText', { count })}
      action={t('purgeAction', { count })}
      onClose={onClose}
      onConfirm={() => onChange({ action: 'purge' })}
    />
  );
}
