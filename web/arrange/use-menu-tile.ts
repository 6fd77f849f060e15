/** Shows the menu of the photo that has the pointer or the focus. */
import { useLayoutEffect, useState } from 'react';
import { findTileWithMenu } from './menu-tile.ts';

/** Returns the selected tile if exactly one tile is selected. */
function findSelectedTile(sheet: HTMLElement) {
  const [tile, ...others] = sheet.querySelectorAll('.tile[data-selected]');
  return tile && others.length === 0 ? findTileWithMenu(tile) : undefined;
}

export function useTileWithMenu(sheet: HTMLElement) {
  const [menuTile, setMenuTile] = useState(
    () =>
      findTileWithMenu(document.activeElement) ??
      findTileWithMenu(sheet.querySelector('.tile:hover')) ??
      findSelectedTile(sheet),
  );
  useLayoutEffect(() => {
    const updateTile = (event: Event) => {
      const isOpen = document.querySelector('[data-spot] :popover-open') !== null;
      if (isOpen || (event.target as Element).closest('[data-spot]')) return;
      const at = sheet.contains(event.target as Node) ? findTileWithMenu(event.target) : undefined;
      setMenuTile((now) => (now?.id === at?.id && now?.top === at?.top ? now : at));
    };
    let last = { screenX: Number.NaN, screenY: Number.NaN };
    const handlePointerMove = (event: PointerEvent) => {
      const { pointerType, screenX, screenY } = event;
      if (pointerType !== 'mouse' || (screenX === last.screenX && screenY === last.screenY)) return;
      last = { screenX, screenY };
      updateTile(event);
    };
    // A long press selects a photo on a touch screen; the menu appears for that photo.
    const handlePointerUp = ({ pointerType, target }: PointerEvent) => {
      if (pointerType === 'mouse' || (target as Element).closest('[data-spot]')) return;
      setTimeout(() => setMenuTile(findSelectedTile(sheet)));
    };
    document.addEventListener('pointerup', handlePointerUp);
    // Scrolling under a resting mouse causes `pointerover`, in Safari also `pointermove`. The focus wins
    // then.
    document.addEventListener('pointermove', handlePointerMove);
    sheet.addEventListener('focusin', updateTile);
    // The focus may have moved to a tile during the first render.
    setMenuTile((now) => now ?? findTileWithMenu(document.activeElement));
    return () => {
      document.removeEventListener('pointermove', handlePointerMove);
      document.removeEventListener('pointerup', handlePointerUp);
      sheet.removeEventListener('focusin', updateTile);
    };
  }, [sheet]);
  return [menuTile, setMenuTile] as const;
}
