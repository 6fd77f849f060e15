/** A photo that waits for the place of another: the next one that is chosen, by hand or by keyboard, is that one. */
import { useLayoutEffect, useState } from 'react';
import { type MenuTile, menuTileAt } from './menu-tile.ts';

export function usePlacing(sheet: HTMLElement, onPlace: (tile: MenuTile, at: number) => void) {
  const [placing, setPlacing] = useState<MenuTile>();
  useLayoutEffect(() => {
    if (!placing) return;
    const choose = (event: Event) => {
      const at = menuTileAt(event.target) ?? menuTileAtMark(event.target);
      if (!at) return;
      // It opens nothing, and selects nothing.
      event.preventDefault();
      event.stopPropagation();
      setPlacing(undefined);
      if (at.id !== placing.id) onPlace(placing, at.id);
    };
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setPlacing(undefined);
    };
    sheet.addEventListener('click', choose, true);
    window.addEventListener('keydown', press, true);
    return () => {
      sheet.removeEventListener('click', choose, true);
      window.removeEventListener('keydown', press, true);
    };
  }, [sheet, placing, onPlace]);
  return [placing, setPlacing] as const;
}

/** The mark of a selection lies over its photo. */
function menuTileAtMark(target: EventTarget | null): MenuTile | undefined {
  return menuTileAt((target as Element).closest('[data-check]')?.previousElementSibling ?? null);
}
