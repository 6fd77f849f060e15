/** Performs a change in the viewer that removes the photo from the displayed list. The next photo appears at once. */
import type { PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { removeFromList, type ViewerContext } from '../../photos/remove-from-list.ts';
import { type AlbumChange, attempt } from './change.ts';

export async function leaveList(viewer: ViewerContext, photo: PhotoItem, change: AlbumChange): Promise<void> {
  await removeFromList(viewer, photo, {
    perform: () => attempt(change.perform),
    undo: () => attempt(change.undo),
    describe: change.describe,
    undoLabel: t('undoLast'),
    undone: t('undone'),
  });
}
