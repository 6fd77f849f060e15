/** Removes the displayed photo from its list: the next photo appears at once, and a button offers undo. */
import type { QueryClient } from '@tanstack/react-query';
import type { PhotoItem } from '../api/types.ts';
import { showToast } from '../ui/toast.tsx';
import {
  type PhotoList,
  pageAroundPhotoQuery,
  pageSize,
  photoPageQuery,
  refreshPhotoList,
} from './queries.ts';
import { refetchShortPages, removeCachedPhoto } from './remove-cached-photo.ts';

export interface ViewerContext {
  client: QueryClient;
  list: PhotoList;
  /** The photo's index in the list. */
  place: number;
  /** Shows the photo at the given index, unless the viewer has been closed. */
  renumber(total: number, index: number): void;
}

export interface PhotoListRemoval {
  /** Returns whether the removal succeeded, and shows the error if it failed. */
  perform(): Promise<boolean>;
  /** Returns a text about the removal after it succeeded. */
  describe(): string;
  /** The opposite of the removal, if there is one, and the text after it. */
  undo?: { label: string; perform(): Promise<boolean>; done: string };
}

export async function removePhotoFromList(
  viewer: ViewerContext,
  photo: PhotoItem,
  leaving: PhotoListRemoval,
): Promise<void> {
  const dropped = removeCachedPhoto(viewer.client, viewer.list, photo.id);
  // A second key press arrived before the first removal was done.
  if (!dropped) return;
  const { endWhenSettled, end } = suppressPhoto(viewer, photo);
  viewer.renumber(dropped.total, Math.min(dropped.index, dropped.total - 1));
  if (!(await leaving.perform())) {
    end();
    return await restorePhoto(viewer, photo);
  }
  endWhenSettled();
  refetchShortPages(viewer.client, viewer.list);
  await invalidateOtherLists(viewer.client);
  const { undo } = leaving;
  showToast({
    text: leaving.describe(),
    ...(undo && {
      action: {
        label: undo.label,
        perform: () => {
          end();
          void undoRemoval(viewer, photo, undo);
        },
      },
    }),
  });
}

/**
 * Removes the photo again from responses that were requested before the API removed the photo. The removal
 * happens before rendering, so that no key acts on another photo than the displayed one. Lasts until no
 * request is pending.
 */
function suppressPhoto({ client, list }: ViewerContext, { id }: PhotoItem) {
  let [isDropping, isDone] = [false, false];
  const end = client.getQueryCache().subscribe(({ type }) => {
    if (isDropping || type !== 'updated') return;
    isDropping = true;
    removeCachedPhoto(client, list, id);
    isDropping = false;
    if (isDone && client.isFetching({ queryKey: ['photos', 'list'] }) === 0) end();
  });
  const endWhenSettled = () => {
    isDone = true;
  };
  return { end, endWhenSettled };
}

async function undoRemoval(
  viewer: ViewerContext,
  photo: PhotoItem,
  { perform, done }: NonNullable<PhotoListRemoval['undo']>,
): Promise<void> {
  if (!(await perform())) return;
  await invalidateOtherLists(viewer.client);
  await restorePhoto(viewer, photo);
  showToast({ text: done });
}

/** Reloads the list after an undo or a failure, and shows the photo at its position. */
async function restorePhoto(
  { client, list, renumber, place }: ViewerContext,
  { id }: PhotoItem,
): Promise<void> {
  try {
    await refreshPhotoList(client, list);
    const page = await client.fetchQuery({ ...pageAroundPhotoQuery(client, list, id, place), staleTime: 0 });
    const found = client.getQueryData(photoPageQuery(list, page).queryKey);
    const within = found?.list.findIndex((photo) => photo.id === id) ?? -1;
    if (found && within >= 0) renumber(found.pagination.total, (page - 1) * pageSize + within);
  } catch {
    void client.invalidateQueries({ queryKey: ['photos', 'list', list] });
  }
}

/**
 * Marks other lists, such as the trash, and numbers of photos as stale. Stale lists are reloaded on the next
 * visit, so that many deletions stay cheap.
 */
async function invalidateOtherLists(client: QueryClient): Promise<void> {
  const ofOthers = { queryKey: ['photos', 'list'], type: 'inactive', refetchType: 'none' } as const;
  await client.invalidateQueries(ofOthers);
  await client.invalidateQueries({ queryKey: ['albums'], refetchType: 'none' });
  void client.invalidateQueries({ queryKey: ['people'] });
}
