/** Asks an admin to confirm the deletion of a list item, and shows a message after the deletion. */
import { t } from '../messages/messages.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { showToast } from '../ui/toast.tsx';
import { useDeleteAdminItem } from './queries.ts';

interface Props {
  kind: 'photos' | 'comments';
  id: number;
  title: string;
  text: string;
  /** Name of the deleted item, for the message after the deletion. */
  name: string;
  onClose(): void;
}

export function DeleteListItemDialog({ kind, id, title, text, name, onClose }: Props) {
  const deleting = useDeleteAdminItem(kind);
  const deleteItem = () =>
    deleting.mutate(id, {
      onSuccess: () => {
        onClose();
        showToast({ text: t('adminDone', { name }) });
      },
    });
  return (
    <ConfirmDialog
      title={title}
      text={text}
      action={t('adminRemove')}
      onConfirm={deleteItem}
      onClose={onClose}
      isBusy={deleting.isPending}
      error={deleting.error}
    />
  );
}
