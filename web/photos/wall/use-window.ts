/** The window that looks at a wall: its size, and whether scrolling rests. */
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { type Measures, measuresOf } from './measure.ts';

const restMs = 120;

export interface WallSize {
  width: number;
  measures: Measures;
}

/** Undefined before the wall is in the page. */
export function useWallSize(wall: RefObject<HTMLElement | null>): WallSize | undefined {
  const [size, setSize] = useState<WallSize>();
  useLayoutEffect(() => {
    const element = wall.current!;
    const measure = () => {
      const { width } = element.getBoundingClientRect();
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const measures = measuresOf(window.innerWidth, rem);
      setSize((last) =>
        last?.width === width && last.measures.row === measures.row ? last : { width, measures },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [wall]);
  return size;
}

/** `onScroll` at every step, `onRest` when none has come for a while; both at once, too. */
export function useScrolling(onScroll: () => void, onRest: () => void): void {
  useEffect(() => {
    let timer = 0;
    const step = () => {
      onScroll();
      clearTimeout(timer);
      timer = window.setTimeout(onRest, restMs);
    };
    window.addEventListener('scroll', step, { passive: true });
    window.addEventListener('resize', step);
    onScroll();
    onRest();
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', step);
      window.removeEventListener('resize', step);
    };
  }, [onScroll, onRest]);
}
