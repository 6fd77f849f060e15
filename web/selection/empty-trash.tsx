/** Empties the trash after a confirmation with the number of photos. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { type PhotoList, refreshPhotoList } from '../photos/queries.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { showToast } from '../ui/toast.tsx';
import { emptyTrash, invalidateAffectedQueries } from './queries.ts';
import { describeBulkFailures, describeBulkResult } from './result-texts.ts';

interface Props {
  list: PhotoList;
  total: number;
  onClose(): void;
}

export function EmptyTrashDialog({ list, total, onClose }: Props) {
  // The number stays the same while the confirmation is open.
  const [count] = useState(total);
  const client = useQueryClient();
  const [done, setDone] = useState(0);
  const empty = useMutation({
    mutationFn: () => emptyTrash(setDone),
    onSuccess: (outcome) => {
      const { success, failed } = outcome;
      if (failed.length > 0) {
        showToast({ text: describeBulkFailures(outcome, failed.length + success.length), isError: true });
      }
      if (success.length > 0) showToast({ text: describeBulkResult({ action: 'purge' }, success.length) });
      onClose();
    },
    // Photos deleted before an error also leave the list.
    onSettled: () => {
      invalidateAffectedQueries(client, { action: 'purge' });
      return refreshPhotoList(client, list);
    },
  });
  return (
    <ConfirmDialog
      title={t('purgeTitle', { count })}
      text={t('purgeText', { count })}
      action={empty.isPending ? t('workingOf', { done, total: count }) : t('purgeAction', { count })}
      isBusy={empty.isPending}
      error={empty.error}
      onConfirm={() => empty.mutate()}
      onClose={onClose}
    />
  );
}
