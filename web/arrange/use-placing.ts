/** A photo that waits for the place of another: the next one that is chosen, by hand or by keyboard, is that one. */
import { useLayoutEffect, useState } from 'react';
import { findMenuTile, type MenuTile } from './menu-tile.ts';

export function usePlacing(sheet: HTMLElement, onPlace: (tile: MenuTile, at: number) => void) {
  const [placing, setPlacing] = useState<MenuTile>();
  useLayoutEffect(() => {
    if (!placing) return;
    const chooseTile = (event: Event) => {
      const at = findMenuTile(event.target) ?? findMarkedTile(event.target);
      if (!at) return;
      // It opens nothing, and selects nothing.
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

/** The mark of a selection lies over its photo. */
function findMarkedTile(target: EventTarget | null): MenuTile | undefined {
  return findMenuTile((target as Element).closest('[data-check]')?.previousElementSibling ?? null);
}
