/** The photo of a wall that a hand or the focus is at, and where its menu stands: the upper right corner. */
import { useLayoutEffect, useState } from 'react';
import { spotIn } from './spot.ts';

/** The one photo that is selected. */
function held(sheet: HTMLElement) {
  const [tile, ...others] = sheet.querySelectorAll('.tile[data-selected]');
  return tile && others.length === 0 ? spotIn(tile) : undefined;
}

export function useSpot(sheet: HTMLElement) {
  const [spot, setSpot] = useState(
    () => spotIn(document.activeElement) ?? spotIn(sheet.querySelector('.tile:hover')) ?? held(sheet),
  );
  useLayoutEffect(() => {
    const follow = (event: Event) => {
      const isOpen = document.querySelector('[data-spot] :popover-open') !== null;
      if (isOpen || (event.target as Element).closest('[data-spot]')) return;
      const at = sheet.contains(event.target as Node) ? spotIn(event.target) : undefined;
      setSpot((now) => (now?.id === at?.id && now?.top === at?.top ? now : at));
    };
    const over = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') follow(event);
    };
    // A finger that rested on a photo has selected it, and nothing else yet.
    const lift = ({ pointerType, target }: PointerEvent) => {
      if (pointerType === 'mouse' || (target as Element).closest('[data-spot]')) return;
      setTimeout(() => setSpot(held(sheet)));
    };
    document.addEventListener('pointerup', lift);
    document.addEventListener('pointerover', over);
    sheet.addEventListener('focusin', follow);
    // It may have come while this was drawn for the first time.
    setSpot((now) => now ?? spotIn(document.activeElement));
    return () => {
      document.removeEventListener('pointerover', over);
      document.removeEventListener('pointerup', lift);
      sheet.removeEventListener('focusin', follow);
    };
  }, [sheet]);
  return [spot, setSpot] as const;
}
