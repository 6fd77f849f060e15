/** A change of the albums of photos, which can be undone. */
import type { BatchOutcome, PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { describeError } from '../../ui/error-notice.tsx';
import { showToast } from '../../ui/toast.tsx';
import { describeBulkFailures } from '../result-texts.ts';

export interface UndoableAlbumChange {
  /** Throws ApiError. */
  perform(): Promise<BatchOutcome>;
  /** Returns whether the change can be undone after it was performed. */
  canUndo(): boolean;
  /** Throws ApiError. */
  undo(): Promise<BatchOutcome>;
  /** Returns a text about the performed change. */
  describe(): string;
  /** Returns the photos after the change, as far as they changed. */
  changedPhotos(): PhotoItem[];
}

/** Reloads the list that the page shows. */
export type ReloadList = () => Promise<unknown>;

/**
 * Performs a change, and shows a toast with undo. The toast leads to the album if `openAlbum` is given.
 * Returns whether some photos changed.
 */
export async function performAlbumChange(
  change: UndoableAlbumChange,
  reload?: ReloadList,
  openAlbum?: () => void,
): Promise<boolean> {
  const isDone = await tryBatchChange(
    change.perform,
    () => void performAlbumChange(change, reload, openAlbum),
  );
  await reloadList(reload);
  if (!isDone) return false;
  showToast({
    text: change.describe(),
    ...(change.canUndo() && {
      action: { label: t('undoLast'), perform: () => void undoAlbumChange(change, reload) },
    }),
    ...(openAlbum && { link: { label: t('viewAlbum'), open: openAlbum } }),
  });
  return true;
}

async function undoAlbumChange(change: UndoableAlbumChange, reload?: ReloadList): Promise<void> {
  const isDone = await tryBatchChange(change.undo, () => void undoAlbumChange(change, reload));
  await reloadList(reload);
  if (isDone) showToast({ text: t('undone') });
}

/** Ignores a failure: the list is marked as stale, and the next visit reloads the list. */
async function reloadList(reload: ReloadList | undefined): Promise<void> {
  await reload?.().catch(() => {});
}

/** Returns whether some photos changed. Shows a toast for an error and for photos that did not change. */
export async function tryBatchChange(act: () => Promise<BatchOutcome>, retry?: () => void): Promise<boolean> {
  try {
    const { success, failed } = await act();
    const total = success.length + failed.length;
    if (failed.length > 0) {
      showToast({ text: describeBulkFailures({ success, failed }, total), isError: true });
    }
    return success.length > 0;
  } catch (error) {
    const action = retry && { label: t('retry'), perform: retry };
    showToast({ text: describeError(error as Error), isError: true, ...(action && { action }) });
    return false;
  }
}
