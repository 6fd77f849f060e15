/** The photo that is shown leaves the list: the next one is there at once, and a button brings it back. */
import type { QueryClient } from '@tanstack/react-query';
import type { PhotoItem } from '../api/types.ts';
import { showToast } from '../ui/toast.tsx';
import { type PhotoList, pageAroundQuery, pageQuery, pageSize, refreshList } from './queries.ts';
import { refetchShortPages, removeCachedPhoto } from './remove-cached-photo.ts';

export interface ViewerContext {
  client: QueryClient;
  list: PhotoList;
  /** Where in it the photo stands. */
  place: number;
  /** Shows what stands there now; the viewer may be closed already. */
  renumber(total: number, index: number): void;
}

export interface ListRemoval {
  /** Whether it was done; says why not. */
  perform(): Promise<boolean>;
  undo(): Promise<boolean>;
  done: string;
  undoLabel: string;
  undone: string;
}

export async function removeFromList(
  viewed: ViewerContext,
  photo: PhotoItem,
  leaving: ListRemoval,
): Promise<void> {
  const dropped = removeCachedPhoto(viewed.client, viewed.list, photo.id);
  // A second press, before the first was done.
  if (!dropped) return;
  const { endWhenSettled, end } = suppressPhoto(viewed, photo);
  viewed.renumber(dropped.total, Math.min(dropped.index, dropped.total - 1));
  if (!(await leaving.perform())) {
    end();
    return await restorePhoto(viewed, photo);
  }
  endWhenSettled();
  refetchShortPages(viewed.client, viewed.list);
  await invalidateOtherLists(viewed.client);
  showToast({
    text: leaving.done,
    action: {
      label: leaving.undoLabel,
      perform: () => {
        end();
        void undoRemoval(viewed, photo, leaving);
      },
    },
  });
}

/**
 * A page that was asked for before the API had done it brings the photo back: it is dropped before anything is drawn,
 * or keys would be for a photo that is not the one shown. Until no page is on its way any more.
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
  viewed: ViewerContext,
  photo: PhotoItem,
  { undo, undone }: ListRemoval,
): Promise<void> {
  if (!(await undo())) return;
  await invalidateOtherLists(viewed.client);
  await restorePhoto(viewed, photo);
  showToast({ text: undone });
}

/** Undone, or not done: the list is asked for once more, and the photo shown where it stands. */
async function restorePhoto(
  { client, list, renumber, place }: ViewerContext,
  { id }: PhotoItem,
): Promise<void> {
  try {
    await refreshList(client, list);
    const page = await client.fetchQuery({ ...pageAroundQuery(client, list, id, place), staleTime: 0 });
    const found = client.getQueryData(pageQuery(list, page).queryKey);
    const within = found?.list.findIndex((photo) => photo.id === id) ?? -1;
    if (found && within >= 0) renumber(found.pagination.total, (page - 1) * pageSize + within);
  } catch {
    void client.invalidateQueries({ queryKey: ['photos', 'list', list] });
  }
}

/** Lists that are looked at later, the trash among them, are asked for then: deleting many asks for nothing more. */
async function invalidateOtherLists(client: QueryClient): Promise<void> {
  const ofOthers = { queryKey: ['photos', 'list'], type: 'inactive', refetchType: 'none' } as const;
  await client.invalidateQueries(ofOthers);
  await client.invalidateQueries({ queryKey: ['albums'], refetchType: 'none' });
}
