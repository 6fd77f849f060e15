/** Moves the shown photo to the trash or out of it, or deletes it permanently. */
import type { PhotoItem } from '../api/types.ts';
import { userQuery } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import { photoQuery } from '../photos/queries.ts';
import { removePhotoFromList, type ViewerContext } from '../photos/remove-from-list.ts';
import { changePhotosInBatches } from '../selection/queries.ts';
import { describeBulkFailures, describeBulkResult } from '../selection/result-texts.ts';
import { describeError } from '../ui/error-notice.tsx';
import { showToast } from '../ui/toast.tsx';

export type TrashAction = 'delete' | 'restore' | 'purge';

const opposites = { delete: 'restore', restore: 'delete', purge: undefined } as const;

/** The photo leaves the displayed list, because a list has photos of the trash or others, never both. */
export async function changePhotoInTrash(
  viewer: ViewerContext,
  photo: PhotoItem,
  action: TrashAction,
): Promise<void> {
  const opposite = opposites[action];
  const send = async (change: TrashAction) => {
    const isDone = await sendChange(photo, change);
    // The trash and the gallery have different details of the photo.
    if (isDone) await viewer.client.invalidateQueries({ ...photoQuery(photo.id), refetchType: 'none' });
    if (isDone && change === 'purge') void viewer.client.invalidateQueries(userQuery);
    return isDone;
  };
  await removePhotoFromList(viewer, photo, {
    perform: () => send(action),
    describe: () => describeBulkResult({ action }, 1),
    ...(opposite && {
      undo: { label: t('undoLast'), perform: () => send(opposite), done: t('undone') },
    }),
  });
}

/** Returns whether the change succeeded, and shows the error if it failed. */
async function sendChange({ id }: PhotoItem, action: TrashAction): Promise<boolean> {
  try {
    const outcome = await changePhotosInBatches([id], { action }, () => {});
    if (outcome.failed.length > 0) showToast({ text: describeBulkFailures(outcome, 1), isError: true });
    return outcome.failed.length === 0;
  } catch (error) {
    showToast({ text: describeError(error as Error), isError: true });
    return false;
  }
}
