/** Measures the window over a wall, and detects when scrolling rests. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Density, getWallMeasures, type WallMeasures } from '../../../server/gallery/pages/measure.ts';

const restMs = 120;
/** Screens per second from which scrolling is a fling. */
const fastScreens = 2;

export interface WallSize {
  width: number;
  measures: WallMeasures;
}

/** Returns the wall's size, or undefined before the wall is rendered. */
export function useWallSize(wall: RefObject<HTMLElement | null>, density: Density): WallSize | undefined {
  const [size, setSize] = useState<WallSize>();
  useLayoutEffect(() => {
    const element = wall.current!;
    const measureWall = () => {
      const { width } = element.getBoundingClientRect();
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const measures = getWallMeasures(window.innerWidth, rem, density);
      setSize((last) =>
        last?.width === width && last.measures.row === measures.row ? last : { width, measures },
      );
    };
    measureWall();
    const observer = new ResizeObserver(measureWall);
    observer.observe(element);
    return () => observer.disconnect();
  }, [wall, density]);
  return size;
}

/**
 * Tells a fling from slow scrolling. Photos of a fling are not loaded, because they leave the window before they
 * arrive.
 */
export function useScrollSpeed() {
  const [isFast, setFast] = useState(false);
  const last = useRef({ y: 0, time: 0 });
  const measureSpeed = useCallback((y: number) => {
    const time = performance.now();
    const elapsed = time - last.current.time;
    const screensPerSecond = (Math.abs(y - last.current.y) / window.innerHeight / elapsed) * 1000;
    last.current = { y, time };
    // After a pause, the speed is unknown.
    if (elapsed > restMs) return;
    if (screensPerSecond > fastScreens) setFast(true);
    else if (screensPerSecond < fastScreens / 2) setFast(false);
  }, []);
  const endFling = useCallback(() => setFast(false), []);
  return { isFast, measureSpeed, endFling };
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
