/** Measures the space for the picture, also after the window is resized. */
import { useCallback, useState } from 'react';
import type { PixelSize } from './steps.ts';

export function useAvailableSize(): [PixelSize, (element: HTMLElement | null) => (() => void) | undefined] {
  const [room, setRoom] = useState<PixelSize>({ width: 1, height: 1 });
  const observe = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const measure = () => {
      const { width, height } = getComputedStyle(element);
      const { paddingInline, paddingBlock } = readPadding(element);
      setRoom({
        width: Math.max(1, Number.parseFloat(width) - paddingInline),
        height: Math.max(1, Number.parseFloat(height) - paddingBlock),
      });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [room, observe];
}

function readPadding(element: HTMLElement) {
  const { paddingTop, paddingBottom, paddingLeft, paddingRight } = getComputedStyle(element);
  const addLengths = (one: string, other: string) => Number.parseFloat(one) + Number.parseFloat(other);
  return {
    paddingInline: addLengths(paddingLeft, paddingRight),
    paddingBlock: addLengths(paddingTop, paddingBottom),
  };
}
