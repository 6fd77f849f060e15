/** Measures the window over a wall, and detects when scrolling rests. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { getWallMeasures, type WallMeasures } from '../../../server/gallery/pages/measure.ts';

const restMs = 120;

export interface WallSize {
  width: number;
  measures: WallMeasures;
}

/** Returns the wall's size, or undefined before the wall is rendered. */
export function useWallSize(wall: RefObject<HTMLElement | null>): WallSize | undefined {
  const [size, setSize] = useState<WallSize>();
  useLayoutEffect(() => {
    const element = wall.current!;
    const measureWall = () => {
      const { width } = element.getBoundingClientRect();
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const measures = getWallMeasures(window.innerWidth, rem);
      setSize((last) =>
        last?.width === width && last.measures.row === measures.row ? last : { width, measures },
      );
    };
    measureWall();
    const observer = new ResizeObserver(measureWall);
    observer.observe(element);
    return () => observer.disconnect();
  }, [wall]);
  return size;
}

/** Calls `onScroll` at every step and `onRest` after a pause. `now` returns the scroll position. */
export function useScrollHandlers(now: () => number, onScroll: () => void, onRest: () => void): void {
  const latest = useRef({ now, onScroll, onRest });
  latest.current = { now, onScroll, onRest };
  useEffect(() => {
    let timer = 0;
    const waitForRest = () => {
      clearTimeout(timer);
      timer = window.setTimeout(restWhenStill, restMs);
    };
    /**
     * On a slow machine the timer may fire between two frames of one movement, so two more frames are
     * compared.
     */
    const restWhenStill = () => {
      const y = latest.current.now();
      const asked = timer;
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (timer !== asked) return;
          // The wall moved without a scroll event, so wait for another pause.
          if (Math.abs(latest.current.now() - y) < 0.5) latest.current.onRest();
          else waitForRest();
        }),
      );
    };
    let last: number | undefined;
    const step = ({ type }: Event) => {
      const before = last;
      last = latest.current.now();
      // Only the scroll box was corrected; the visible wall has not moved.
      if (type === 'scroll' && before !== undefined && Math.abs(last - before) < 0.5) return;
      latest.current.onScroll();
      waitForRest();
    };
    window.addEventListener('scroll', step, { passive: true });
    window.addEventListener('resize', step);
    return () => {
      clearTimeout(timer);
      timer = 0;
      window.removeEventListener('scroll', step);
      window.removeEventListener('resize', step);
    };
  }, []);
}
