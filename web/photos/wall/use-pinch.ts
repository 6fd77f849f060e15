/** Two fingers that move apart or together on a wall make its rows higher or lower, one density after the other. */
import { type RefObject, useEffect } from 'react';
import { densities } from '../../../server/gallery/pages/measure.ts';
import { getDensity, setDensity } from './density.ts';

/** How far the fingers move for one step: the ratio of their distances. */
const ratioOfStep = 1.4;

export function usePinch(sheet: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = sheet.current!;
    let start = 0;
    const handleStart = ({ touches }: TouchEvent) => {
      start = touches.length === 2 ? measureDistance(touches) : 0;
    };
    const handleMove = (event: TouchEvent) => {
      if (start === 0 || event.touches.length !== 2) return;
      // The page would zoom, too.
      event.preventDefault();
      const distance = measureDistance(event.touches);
      const ratio = distance / start;
      if (ratio < ratioOfStep && ratio > 1 / ratioOfStep) return;
      start = distance;
      const next = densities[densities.indexOf(getDensity()) + (ratio > 1 ? -1 : 1)];
      if (next) setDensity(next);
    };
    element.addEventListener('touchstart', handleStart, { passive: true });
    element.addEventListener('touchmove', handleMove, { passive: false });
    return () => {
      element.removeEventListener('touchstart', handleStart);
      element.removeEventListener('touchmove', handleMove);
    };
  }, [sheet]);
}

function measureDistance([one, other]: TouchList): number {
  return Math.hypot(one!.clientX - other!.clientX, one!.clientY - other!.clientY);
}
