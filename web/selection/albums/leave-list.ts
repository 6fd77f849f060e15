/** Performs a change in the viewer that removes the photo from the displayed list. The next photo appears at once. */
import type { PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { removePhotoFromList, type ViewerContext } from '../../photos/remove-from-list.ts';
import { tryBatchChange, type UndoableAlbumChange } from './change.ts';

export async function performRemovalInViewer(
  viewer: ViewerContext,
  photo: PhotoItem,
  change: UndoableAlbumChange,
): Promise<void> {
  await removePhotoFromList(viewer, photo, {
    perform: () => tryBatchChange(change.perform),
    describe: change.describe,
    undo: { label: t('undoLast'), perform: () => tryBatchChange(change.undo), done: t('undone') },
  });
}
