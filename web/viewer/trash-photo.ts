/** Moves the shown photo to the trash. */
import type { PhotoItem } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { removeFromList, type ViewerContext } from '../photos/remove-from-list.ts';
import { changeInBatches } from '../selection/queries.ts';
import { describeDone, describeFailures } from '../selection/result-texts.ts';
import { describeError } from '../ui/error-notice.tsx';
import { showToast } from '../ui/toast.tsx';

export async function trashPhoto(viewer: ViewerContext, photo: PhotoItem): Promise<void> {
  await removeFromList(viewer, photo, {
    perform: () => sendChange(photo, 'delete'),
    undo: () => sendChange(photo, 'restore'),
    describe: () => describeDone({ action: 'delete' }, 1),
    undoLabel: t('undoLast'),
    undone: t('undone'),
  });
}

/** Returns whether the change succeeded, and shows the error if it failed. */
async function sendChange({ id }: PhotoItem, action: 'delete' | 'restore'): Promise<boolean> {
  try {
    const outcome = await changeInBatches([id], { action }, () => {});
    if (outcome.failed.length > 0) showToast({ text: describeFailures(outcome, 1), isError: true });
    return outcome.failed.length === 0;
  } catch (error) {
    showToast({ text: describeError(error as Error), isError: true });
    return false;
  }
}
