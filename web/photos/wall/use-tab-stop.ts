/** Chooses the tile of a wall that the Tab key reaches. The arrow keys reach the other tiles. */
import { type FocusEvent, useState } from 'react';
import type { PhotoSection } from '../../../server/gallery/pages/sections.ts';
import type { PhotoItem } from '../../api/types.ts';
import type { PlacedSection } from './layout.ts';
import type { ListedPhoto } from './selection-state.ts';

interface Options {
  /** Sections that are rendered. */
  placed: PlacedSection[];
  /** Scroll position in the coordinates of the layout, in pixels. */
  top: number;
  getPhotos(section: PhotoSection): PhotoItem[] | undefined;
  findListedPhoto(id: number): ListedPhoto | undefined;
}

/** Makes a tile outside the window worse than every tile in the window. */
const outsidePenalty = 1e9;

/** Returns the photo whose tile is the stop: the last focused tile, or the tile in the window closest to it. */
export function useTabStop({ placed, top, getPhotos, findListedPhoto }: Options) {
  const [focused, setFocused] = useState<ListedPhoto>();
  const handleFocus = ({ target }: FocusEvent) => {
    const tile = target.closest<HTMLElement>('.tile[data-id]');
    const spot = tile && findListedPhoto(Number(tile.dataset.id));
    if (spot && spot.photo.id !== focused?.photo.id) setFocused(spot);
  };
  const bottom = top + window.innerHeight;
  let stop: number | undefined;
  let shortest = Number.POSITIVE_INFINITY;
  for (const { section, head, boxes = [], ...place } of placed) {
    const photos = getPhotos(section) ?? [];
    for (const [at, box] of boxes.entries()) {
      const id = photos[at]?.id;
      if (id === undefined) continue;
      const tileTop = place.top + head + box.top;
      const isOutside = tileTop + box.height <= top || tileTop >= bottom;
      const distance = id === focused?.photo.id ? -1 : Math.abs(section.from + at - (focused?.index ?? 0));
      const rank = distance + (isOutside ? outsidePenalty : 0);
      if (rank >= shortest) continue;
      shortest = rank;
      stop = id;
    }
  }
  return { stop, handleFocus };
}
