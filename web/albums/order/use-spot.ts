/** The photo of a wall that a hand or the focus is at, and where its menu stands: the upper right corner. */
import { useEffect, useState } from 'react';
import { spotIn } from './spot.ts';

export function useSpot(sheet: HTMLElement) {
  const [spot, setSpot] = useState(
    () => spotIn(document.activeElement) ?? spotIn(sheet.querySelector('.tile:hover')),
  );
  useEffect(() => {
    const follow = (event: Event) => {
      const isOpen = document.querySelector('[data-spot] :popover-open') !== null;
      if (isOpen || (event.target as Element).closest('[data-spot]')) return;
      const at = sheet.contains(event.target as Node) ? spotIn(event.target) : undefined;
      setSpot((now) => (now?.id === at?.id && now?.top === at?.top ? now : at));
    };
    const over = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') follow(event);
    };
    document.addEventListener('pointerover', over);
    sheet.addEventListener('focusin', follow);
    return () => {
      document.removeEventListener('pointerover', over);
      sheet.removeEventListener('focusin', follow);
    };
  }, [sheet]);
  return [spot, setSpot] as const;
}
