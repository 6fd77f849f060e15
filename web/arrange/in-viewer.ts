/** What the owner of an album does with the photo that is looked at: makes it the cover, takes it out. */
import { FolderMinus, ImageIcon } from 'lucide-react';
import type { AlbumDetail, PhotoItem } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { leaveList, type Viewed } from '../photos/leave-list.ts';
import { photoName } from '../photos/name.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { showToast } from '../ui/toast.tsx';
import { chooseCover, putBack, takeOut } from './queries.ts';
import { isHiddenByAlbum } from './take-out.tsx';
import { orderProblem } from './use-order.ts';

export { TakeOutQuestion } from './take-out.tsx';

interface Looked {
  album: AlbumDetail;
  photo: PhotoItem;
  viewed: Viewed;
  /** Before it is seen by everybody. */
  ask(photo: PhotoItem): void;
}

export function itemsFor({ album, photo, viewed, ask }: Looked): MenuItem[] {
  const renew = () => void viewed.client.invalidateQueries({ queryKey: ['albums'] });
  return [
    {
      ...{ name: 'cover', icon: ImageIcon, label: t('albumUseAsCover') },
      perform: () =>
        void isDone(chooseCover(album.id, photo.id)).then((isCover) => {
          if (isCover) showToast({ text: t('albumIsCover') });
          renew();
        }),
    },
    {
      ...{ name: 'out', icon: FolderMinus, label: t('albumTakeOut') },
      perform: () => (isHiddenByAlbum(album) ? ask(photo) : void leaveAlbum(album, photo, viewed)),
    },
  ];
}

export async function leaveAlbum({ id }: AlbumDetail, photo: PhotoItem, viewed: Viewed): Promise<void> {
  const name = photoName(photo);
  await leaveList(viewed, photo, {
    perform: () => isDone(takeOut(id, photo.id)),
    undo: () => isDone(putBack(id, photo.id)),
    done: t('albumTakenOut', { name }),
    undoLabel: t('albumPutBack'),
    undone: t('albumIsBack', { name }),
  });
}

/** Says why not. */
async function isDone(act: Promise<void>): Promise<boolean> {
  try {
    await act;
    return true;
  } catch (error) {
    showToast({ text: orderProblem(error as Error), isAlarm: true });
    return false;
  }
}
