/** Shows the menu of the photo that the pointer or the focus is on. */
import { useLayoutEffect, useState } from 'react';
import { menuTileAt } from './menu-tile.ts';

/** The one photo that is selected. */
function held(sheet: HTMLElement) {
  const [tile, ...others] = sheet.querySelectorAll('.tile[data-selected]');
  return tile && others.length === 0 ? menuTileAt(tile) : undefined;
}

export function useMenuTile(sheet: HTMLElement) {
  const [menuTile, setMenuTile] = useState(
    () => menuTileAt(document.activeElement) ?? menuTileAt(sheet.querySelector('.tile:hover')) ?? held(sheet),
  );
  useLayoutEffect(() => {
    const follow = (event: Event) => {
      const isOpen = document.querySelector('[data-spot] :popover-open') !== null;
      if (isOpen || (event.target as Element).closest('[data-spot]')) return;
      const at = sheet.contains(event.target as Node) ? menuTileAt(event.target) : undefined;
      setMenuTile((now) => (now?.id === at?.id && now?.top === at?.top ? now : at));
    };
    let last = { screenX: Number.NaN, screenY: Number.NaN };
    const move = (event: PointerEvent) => {
      const { pointerType, screenX, screenY } = event;
      if (pointerType !== 'mouse' || (screenX === last.screenX && screenY === last.screenY)) return;
      last = { screenX, screenY };
      follow(event);
    };
    // A finger that rested on a photo has selected it, and nothing else yet.
    const lift = ({ pointerType, target }: PointerEvent) => {
      if (pointerType === 'mouse' || (target as Element).closest('[data-spot]')) return;
      setTimeout(() => setMenuTile(held(sheet)));
    };
    document.addEventListener('pointerup', lift);
    // A page that moves under a mouse at rest causes `pointerover`, in Safari `pointermove` too. The focus counts then.
    document.addEventListener('pointermove', move);
    sheet.addEventListener('focusin', follow);
    // It may have come while this was drawn for the first time.
    setMenuTile((now) => now ?? menuTileAt(document.activeElement));
    return () => {
      document.removeEventListener('pointermove', move);
      document.removeEventListener('pointerup', lift);
      sheet.removeEventListener('focusin', follow);
    };
  }, [sheet]);
  return [menuTile, setMenuTile] as const;
}
