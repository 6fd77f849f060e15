/** Moves a photo to the position of the photo that the user chooses next, by pointer or keyboard. */
import { useLayoutEffect, useState } from 'react';
import { findTileWithMenu, type TileWithMenu } from './menu-tile.ts';

export function usePhotoPlacing(sheet: HTMLElement, onPlace: (tile: TileWithMenu, at: number) => void) {
  const [placing, setPlacing] = useState<TileWithMenu>();
  useLayoutEffect(() => {
    if (!placing) return;
    const chooseTile = (event: Event) => {
      const at = findTileWithMenu(event.target) ?? findMarkedTile(event.target);
      if (!at) return;
      // The click that chooses the position neither opens nor selects the photo.
      event.preventDefault();
      event.stopPropagation();
      setPlacing(undefined);
      if (at.id !== placing.id) onPlace(placing, at.id);
    };
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setPlacing(undefined);
    };
    sheet.addEventListener('click', chooseTile, true);
    window.addEventListener('keydown', handleKeyDown, true);
    return () => {
      sheet.removeEventListener('click', chooseTile, true);
      window.removeEventListener('keydown', handleKeyDown, true);
    };
  }, [sheet, placing, onPlace]);
  return [placing, setPlacing] as const;
}

/** Finds the tile for a click on its checkbox, which lies over the photo. */
function findMarkedTile(target: EventTarget | null): TileWithMenu | undefined {
  return findTileWithMenu((target as Element).closest('[data-check]')?.previousElementSibling ?? null);
}
