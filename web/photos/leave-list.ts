/** The photo that is shown leaves the list: the next one is there at once, and a button brings it back. */
import type { QueryClient } from '@tanstack/react-query';
import type { PhotoItem } from '../api/types.ts';
import { showToast } from '../ui/toast.tsx';
import { dropPhoto, renewShort } from './drop-photo.ts';
import { type PhotoList, pageAround, pageOf, pageSize, refreshList } from './queries.ts';

export interface Viewed {
  client: QueryClient;
  list: PhotoList;
  /** Where in it the photo stands. */
  place: number;
  /** Shows what stands there now; the viewer may be closed already. */
  renumber(total: number, index: number): void;
}

export interface Leaving {
  /** Whether it was done; says why not. */
  perform(): Promise<boolean>;
  undo(): Promise<boolean>;
  done: string;
  undoLabel: string;
  undone: string;
}

export async function leaveList(viewed: Viewed, photo: PhotoItem, leaving: Leaving): Promise<void> {
  const dropped = dropPhoto(viewed.client, viewed.list, photo.id);
  // A second press, before the first was done.
  if (!dropped) return;
  const { endWhenQuiet, end } = keepAway(viewed, photo);
  viewed.renumber(dropped.total, Math.min(dropped.index, dropped.total - 1));
  if (!(await leaving.perform())) {
    end();
    return await showAgain(viewed, photo);
  }
  endWhenQuiet();
  renewShort(viewed.client, viewed.list);
  await others(viewed.client);
  showToast({
    text: leaving.done,
    action: {
      label: leaving.undoLabel,
      perform: () => {
        end();
        void takeBack(viewed, photo, leaving);
      },
    },
  });
}

/**
 * A page that was asked for before the API had done it brings the photo back: it is dropped before anything is drawn,
 * or keys would be for a photo that is not the one shown. Until no page is on its way any more.
 */
function keepAway({ client, list }: Viewed, { id }: PhotoItem) {
  let [isDropping, isDone] = [false, false];
  const end = client.getQueryCache().subscribe(({ type }) => {
    if (isDropping || type !== 'updated') return;
    isDropping = true;
    dropPhoto(client, list, id);
    isDropping = false;
    if (isDone && client.isFetching({ queryKey: ['photos', 'list'] }) === 0) end();
  });
  const endWhenQuiet = () => {
    isDone = true;
  };
  return { end, endWhenQuiet };
}

async function takeBack(viewed: Viewed, photo: PhotoItem, { undo, undone }: Leaving): Promise<void> {
  if (!(await undo())) return;
  await others(viewed.client);
  await showAgain(viewed, photo);
  showToast({ text: undone });
}

/** Undone, or not done: the list is asked for once more, and the photo shown where it stands. */
async function showAgain({ client, list, renumber, place }: Viewed, { id }: PhotoItem): Promise<void> {
  try {
    await refreshList(client, list);
    const page = await client.fetchQuery({ ...pageAround(client, list, id, place), staleTime: 0 });
    const found = client.getQueryData(pageOf(list, page).queryKey);
    const within = found?.list.findIndex((photo) => photo.id === id) ?? -1;
    if (found && within >= 0) renumber(found.pagination.total, (page - 1) * pageSize + within);
  } catch {
    void client.invalidateQueries({ queryKey: ['photos', 'list', list] });
  }
}

/** Lists that are looked at later, the trash among them, are asked for then: deleting many asks for nothing more. */
async function others(client: QueryClient): Promise<void> {
  const ofOthers = { queryKey: ['photos', 'list'], type: 'inactive', refetchType: 'none' } as const;
  await client.invalidateQueries(ofOthers);
  await client.invalidateQueries({ queryKey: ['albums'], refetchType: 'none' });
}
