/** What the picture has room for, followed as the window changes. */
import { useCallback, useState } from 'react';
import type { Size } from './steps.ts';

export function useRoom(): [Size, (element: HTMLElement | null) => (() => void) | undefined] {
  const [room, setRoom] = useState<Size>({ width: 1, height: 1 });
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const read = () => {
      const { width, height } = getComputedStyle(element);
      const { paddingInline, paddingBlock } = paddingOf(element);
      setRoom({
        width: Math.max(1, Number.parseFloat(width) - paddingInline),
        height: Math.max(1, Number.parseFloat(height) - paddingBlock),
      });
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [room, measure];
}

function paddingOf(element: HTMLElement) {
  const { paddingTop, paddingBottom, paddingLeft, paddingRight } = getComputedStyle(element);
  const sum = (one: string, other: string) => Number.parseFloat(one) + Number.parseFloat(other);
  return { paddingInline: sum(paddingLeft, paddingRight), paddingBlock: sum(paddingTop, paddingBottom) };
}
