/** Keyboard control of a wall's tiles: arrow keys move the focus over all sections, Space selects. */
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { type PhotoList, pageSize, photoPageQuery } from '../photos/queries.ts';
import { findSectionIndexOfPhoto, type WallLayout } from '../photos/wall/layout.ts';
import type { ListedPhoto, PhotoSelectionState } from '../photos/wall/selection-state.ts';
import { isKeyForPage, overlaySelector, readKey } from '../ui/keys.ts';
import { replayKeys } from '../ui/replay-keys.ts';
import { useKeydown } from '../ui/use-keydown.ts';

interface TileKeyOptions {
  list: PhotoList;
  layout: WallLayout;
  sheet: RefObject<HTMLElement | null>;
  reveal(index: number, id: number): void;
  findListedPhoto(id: number): ListedPhoto | undefined;
  selecting: PhotoSelectionState;
}

export function useTileKeys({
  list,
  layout,
  sheet,
  reveal,
  findListedPhoto,
  selecting,
}: TileKeyOptions): void {
  const client = useQueryClient();
  const { readMissedKeys, anchor, marks } = selecting;
  /** List index of the tile that gets the focus as soon as the tile is rendered. */
  const wanted = useRef<number | undefined>(undefined);

  const findTile = (id: number) => sheet.current?.querySelector<HTMLElement>(`.tile[data-id="${id}"]`);
  const findTileAt = (index: number): HTMLElement | null | undefined => {
    const page = client.getQueryData(photoPageQuery(list, Math.floor(index / pageSize) + 1).queryKey);
    const id = page?.list[index % pageSize]?.id;
    return id === undefined ? undefined : findTile(id);
  };
  const focusWanted = useEffectEvent(() => {
    const tile = wanted.current === undefined ? undefined : findTileAt(wanted.current);
    if (!tile) return;
    wanted.current = undefined;
    tile.focus();
  });
  // After a selection ends, the focus returns to the photo that was selected last.
  const lastPicked = useRef(anchor);
  lastPicked.current = anchor ?? lastPicked.current;
  const isSelecting = marks.selected.size > 0;
  // If the focused tile is removed, its new element gets the focus, or the tile that takes its position.
  const lastAt = useRef<ListedPhoto | undefined>(undefined);
  const findPhotoAt = (target: Element | null) => {
    const tile = target?.closest<HTMLElement>('.tile[data-id]');
    return tile && sheet.current?.contains(tile) ? findListedPhoto(Number(tile.dataset.id)) : undefined;
  };
  const note = useEffectEvent((target: Element | null) => {
    lastAt.current = findPhotoAt(target) ?? lastAt.current;
  });
  const focusLast = useEffectEvent(() => {
    if (document.activeElement !== document.body || document.querySelector(overlaySelector)) return;
    const last = (isSelecting ? undefined : lastPicked.current) ?? lastAt.current;
    if (!last) return;
    const tile = findTile(last.photo.id) ?? findTileAt(Math.min(last.index, countPhotos(layout) - 1));
    tile?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (!isSelecting) focusLast();
  }, [isSelecting]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: indexes are valid for one list
  useEffect(() => {
    lastAt.current = undefined;
    note(document.activeElement);
    const handleFocus = ({ target }: Event) => note(target as Element);
    /** A press outside the tiles means that the user has left them. */
    const handlePointerDown = ({ target }: Event) => {
      if (!(target as Element).closest('.tile, [data-notices]')) lastAt.current = undefined;
    };
    window.addEventListener('focusin', handleFocus);
    window.addEventListener('pointerdown', handlePointerDown);
    return () => {
      window.removeEventListener('focusin', handleFocus);
      window.removeEventListener('pointerdown', handlePointerDown);
    };
  }, [list]);

  // Tiles may have been rendered by scrolling or loading.
  useEffect(() => focusWanted());
  useEffect(() => {
    const observer = new MutationObserver(() => {
      focusWanted();
      focusLast();
    });
    observer.observe(sheet.current!, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [sheet]);

  useKeydown((event) => {
    // The user continues by keyboard, so the focus must not jump back.
    if (!isSelecting) lastPicked.current = undefined;
    if (!isKeyForPage(event) || event.metaKey || event.ctrlKey || event.altKey) return;
    const spot = findPhotoAt(event.target as Element);
    if (!spot) return;
    const key = readKey(event);
    if ((key === ' ' || key === 'x') && selecting.marks.isOffered) {
      event.preventDefault();
      return selecting.pick(spot, event.shiftKey);
    }
    const next = findNextIndex(layout, spot.index, event.key);
    if (next === undefined) return;
    event.preventDefault();
    wanted.current = next;
    focusWanted();
    // The next tile is not rendered yet: scroll there and focus the tile after it appears.
    if (wanted.current !== undefined) reveal(next, 0);
  });
  // A layout effect replays early keys in the same render that installs these handlers, so no key is lost.
  useLayoutEffect(() => replayKeys(readMissedKeys()), [readMissedKeys]);
}

function countPhotos({ placedSections }: WallLayout): number {
  const last = placedSections.at(-1);
  return last ? last.section.from + last.section.count : 0;
}

/** Returns the list index to which a key moves the focus, or undefined for other keys. */
function findNextIndex(layout: WallLayout, index: number, key: string): number | undefined {
  const total = countPhotos(layout);
  const clampIndex = (at: number) => Math.min(total - 1, Math.max(0, at));
  switch (key) {
    case 'ArrowLeft':
      return clampIndex(index - 1);
    case 'ArrowRight':
      return clampIndex(index + 1);
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    case 'ArrowUp':
      return findInNextRow(layout, index, -1);
    case 'ArrowDown':
      return findInNextRow(layout, index, 1);
    default:
      return undefined;
  }
}

/** Returns the photo in the next row that is closest to the middle of the current photo. */
function findInNextRow({ placedSections }: WallLayout, index: number, step: 1 | -1): number {
  const at = findSectionIndexOfPhoto({ placedSections, height: 0 }, index);
  const here = placedSections[at]!;
  const box = here.boxes?.[index - here.section.from];
  const middle = box ? box.left + box.width / 2 : 0;
  const isInNextRow = (top: number) => (step === 1 ? top > (box?.top ?? 0) : top < (box?.top ?? 0));
  const tops = (here.boxes ?? []).map(({ top }) => top).filter(isInNextRow);
  const place = tops.length > 0 ? here : placedSections[at + step];
  if (!place) return index;
  const { from, count } = place.section;
  // The section is not loaded, so its first or last photo is chosen.
  if (!place.boxes?.length) return step === 1 ? from : from + count - 1;
  const candidates = place === here ? tops : place.boxes.map(({ top }) => top);
  const row = step === 1 ? Math.min(...candidates) : Math.max(...candidates);
  const distances = place.boxes.map(({ top, left, width }) =>
    top === row ? Math.abs(left + width / 2 - middle) : Number.POSITIVE_INFINITY,
  );
  return from + distances.indexOf(Math.min(...distances));
}
