/**
 * Tools for the owner of an album: drag photos, move them by menu or keyboard, choose the cover, remove
 * photos. The script is loaded when the pointer or the focus reaches the wall.
 */

import { useQueryClient } from '@tanstack/react-query';
import {
  ArrowLeft,
  ArrowRight,
  ChevronFirst,
  ChevronLast,
  Ellipsis,
  FolderMinus,
  ImageIcon,
  Move,
} from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { AlbumDetail } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { type PhotoList, readCachedPhotoPages, refreshPhotoList } from '../photos/queries.ts';
import { performAlbumChange } from '../selection/albums/change.ts';
import { createRemovalFromAlbum } from '../selection/albums/remove.ts';
import { readKey } from '../ui/keys.ts';
import { MenuButton, type MenuItem } from '../ui/menu.tsx';
import { showToast } from '../ui/toast.tsx';
import styles from './arrange.module.css';
import type { PhotoMoveDestination } from './destination.ts';
import { createPhotoDragging } from './drag.ts';
import { findTileWithMenu, type TileWithMenu } from './menu-tile.ts';
import { setAlbumCover } from './queries.ts';
import { useTileWithMenu } from './use-menu-tile.ts';
import { describeOrderError, useAlbumOrder } from './use-order.ts';
import { usePhotoPlacing } from './use-placing.ts';

interface Props {
  album: AlbumDetail;
  list: PhotoList;
  sheet: HTMLElement;
}

const keySteps: Record<string, -1 | 1 | 'start' | 'end'> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: 'start',
  End: 'end',
};

export function ArrangeControls({ album, list, sheet }: Props) {
  const order = useAlbumOrder(list, album.id);
  const [menuTile, setMenuTile] = useTileWithMenu(sheet);
  const [told, setTold] = useState('');
  const host = useRef<HTMLDivElement>(null);
  const { setCover, remove } = useArrangeActions(album, list);

  const move = useCallback(
    (id: number, to: PhotoMoveDestination) => {
      order.move(id, to);
      setMenuTile(undefined);
      setTold(t('orderMoved'));
    },
    [order, setMenuTile],
  );
  const focusOn = useCallback(
    (id: number) => sheet.querySelector<HTMLElement>(`.tile[data-id="${id}"]`)?.focus(),
    [sheet],
  );
  /** Restores the focus to the photo, because React may have removed and inserted its element. */
  const step = useCallback(
    ({ id, name }: TileWithMenu, by: -1 | 1 | 'start' | 'end') => {
      const beside = typeof by === 'number' ? order.neighbor(id, by) : undefined;
      if (typeof by === 'number' && beside === undefined) return;
      move(id, typeof by !== 'number' ? by : by < 0 ? { before: beside! } : { after: beside! });
      setTold(t('orderMovedName', { name }));
      requestAnimationFrame(() => focusOn(id));
    },
    [order, move, focusOn],
  );
  useDragging(sheet, move);
  const place = useCallback(
    ({ id, name }: TileWithMenu, at: number) => {
      const [from, to] = [order.findIndex(id), order.findIndex(at)];
      if (from === undefined || to === undefined) return;
      move(id, from < to ? { after: at } : { before: at });
      setTold(t('orderMovedName', { name }));
      requestAnimationFrame(() => focusOn(id));
    },
    [order, move, focusOn],
  );
  const [placing, setPlacing] = usePhotoPlacing(sheet, place);

  useLayoutEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      const at = findTileWithMenu(event.target);
      const by = keySteps[event.key];
      if (!at || event.ctrlKey || event.metaKey) return;
      if (event.altKey && event.shiftKey && by !== undefined) step(at, by);
      else if (readKey(event) === 'm' && !event.altKey) {
        setMenuTile(at);
        requestAnimationFrame(() => host.current?.querySelector('button')?.click());
      } else return;
      event.preventDefault();
    };
    sheet.addEventListener('keydown', handleKeyDown);
    return () => sheet.removeEventListener('keydown', handleKeyDown);
  }, [sheet, step, setMenuTile]);

  const menuItems = (at: TileWithMenu): MenuItem[] => {
    const by = (
      name: string,
      icon: MenuItem['icon'],
      label: string,
      to: -1 | 1 | 'start' | 'end',
      key: string,
    ) => ({
      ...{ name, icon: icon!, label, keyText: `Alt ⇧ ${key}` },
      perform: () => step(at, to),
    });
    return [
      by('start', ChevronFirst, t('orderToStart'), 'start', 'Home'),
      by('earlier', ArrowLeft, t('orderEarlier'), -1, '←'),
      by('later', ArrowRight, t('orderLater'), 1, '→'),
      by('end', ChevronLast, t('orderToEnd'), 'end', 'End'),
      {
        ...{ name: 'place', icon: Move, label: t('orderMoveTo') },
        perform: () => {
          setPlacing(at);
          focusOn(at.id);
        },
      },
      {
        ...{ name: 'cover', icon: ImageIcon, label: t('albumUseAsCover') },
        perform: () => setCover(at.id),
      },
      {
        ...{ name: 'out', icon: FolderMinus, label: t('removeFromAlbum') },
        perform: () => remove(at.id),
      },
    ];
  };
  return (
    <>
      <p className="unseen" role="status">
        {told}
      </p>
      {menuTile &&
        createPortal(
          <div
            ref={host}
            className={styles.spot}
            style={{ left: menuTile.right, top: menuTile.top }}
            data-spot=""
          >
            <MenuButton
              className={styles.button!}
              label={t('orderOptions', { name: menuTile.name })}
              items={menuItems(menuTile)}
            >
              <Ellipsis size={20} aria-hidden="true" />
            </MenuButton>
          </div>,
          // Inside the main landmark, where screen readers look for the toolbar.
          document.getElementById('content') ?? document.body,
        )}
      {placing &&
        createPortal(
          <div className={styles.placing} role="status">
            <p>{t('orderChoosePosition')}</p>
            <button type="button" onClick={() => setPlacing(undefined)}>
              {t('cancel')}
            </button>
          </div>,
          document.body,
        )}
    </>
  );
}

function useDragging(sheet: HTMLElement, move: (id: number, to: PhotoMoveDestination) => void): void {
  useEffect(() => {
    const drag = createPhotoDragging(sheet, move);
    // Only a mouse drags photos. A long press selects on touch screens, where the menu moves photos.
    const offerDrag = ({ target, pointerType }: PointerEvent) => {
      const tile = pointerType === 'mouse' && (target as Element).closest<HTMLElement>('.tile[data-id]');
      if (tile) drag.offer(tile);
    };
    for (const tile of sheet.querySelectorAll<HTMLElement>('.tile[data-id]:hover')) drag.offer(tile);
    sheet.addEventListener('pointerover', offerDrag);
    return () => {
      sheet.removeEventListener('pointerover', offerDrag);
      drag.stop();
    };
  }, [sheet, move]);
}

function useArrangeActions(album: AlbumDetail, list: PhotoList) {
  const client = useQueryClient();
  const setCover = (id: number) => {
    setAlbumCover(album.id, id)
      .then(() => showToast({ text: t('albumCoverUpdated') }))
      .catch((error) => showToast({ text: describeOrderError(error), isError: true }))
      .finally(() => client.invalidateQueries({ queryKey: ['albums'] }));
  };
  const remove = (id: number) => {
    const photos = readCachedPhotoPages(client, list).flatMap((page) => page.list);
    const photo = photos.find((one) => one.id === id);
    if (!photo) return;
    void performAlbumChange(createRemovalFromAlbum(client, album, [photo]), () =>
      refreshPhotoList(client, list),
    );
  };
  return { setCover, remove };
}
