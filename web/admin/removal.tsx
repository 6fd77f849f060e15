/** Asks before an admin deletes one of a list, and says when that is done. */
import { t } from '../messages/messages.ts';
import { Confirm } from '../ui/confirm.tsx';
import { showToast } from '../ui/toast.tsx';
import { useDelete } from './queries.ts';

interface Props {
  kind: 'photos' | 'comments';
  id: number;
  title: string;
  text: string;
  /** Of what is gone then. */
  name: string;
  onClose(): void;
}

export function Removal({ kind, id, title, text, name, onClose }: Props) {
  const deleting = useDelete(kind);
  const remove = () =>
    deleting.mutate(id, {
      onSuccess: () => {
        onClose();
        showToast({ text: t('adminDone', { name }) });
      },
    });
  return (
    <Confirm
      title={title}
      text={text}
      action={t('adminRemove')}
      onConfirm={remove}
      onClose={onClose}
      isBusy={deleting.isPending}
      error={deleting.error}
    />
  );
}
