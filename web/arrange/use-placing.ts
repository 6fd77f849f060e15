/** Moves a photo to the position of the photo that the user chooses next, by pointer or keyboard. */
import { useLayoutEffect, useState } from 'react';
import { findMenuTile, type MenuTile } from './menu-tile.ts';

export function usePlacing(sheet: HTMLElement, onPlace: (tile: MenuTile, at: number) => void) {
  const [placing, setPlacing] = useState<MenuTile>();
  useLayoutEffect(() => {
    if (!placing) return;
    const chooseTile = (event: Event) => {
      const at = findMenuTile(event.target) ?? findMarkedTile(event.target);
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
function findMarkedTile(target: EventTarget | null): MenuTile | undefined {
  return findMenuTile((target as Element).closest('[data-check]')?.previousElementSibling ?? null);
}
