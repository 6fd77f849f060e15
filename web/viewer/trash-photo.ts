/** Moves the shown photo to the trash. */
import type { PhotoItem } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { removePhotoFromList, type ViewerContext } from '../photos/remove-from-list.ts';
import { changePhotosInBatches } from '../selection/queries.ts';
import { describeBulkFailures, describeBulkResult } from '../selection/result-texts.ts';
import { describeError } from '../ui/error-notice.tsx';
import { showToast } from '../ui/toast.tsx';

export async function trashPhoto(viewer: ViewerContext, photo: PhotoItem): Promise<void> {
  await removePhotoFromList(viewer, photo, {
    perform: () => sendChange(photo, 'delete'),
    undo: () => sendChange(photo, 'restore'),
    describe: () => describeBulkResult({ action: 'delete' }, 1),
    undoLabel: t('undoLast'),
    undone: t('undone'),
  });
}

/** Returns whether the change succeeded, and shows the error if it failed. */
async function sendChange({ id }: PhotoItem, action: 'delete' | 'restore'): Promise<boolean> {
  try {
    const outcome = await changePhotosInBatches([id], { action }, () => {});
    if (outcome.failed.length > 0) showToast({ text: describeBulkFailures(outcome, 1), isError: true });
    return outcome.failed.length === 0;
  } catch (error) {
    showToast({ text: describeError(error as Error), isError: true });
    return false;
  }
}
