/**
 * Scrolls a wall of any height inside a limited scroll box (scale.ts). Wheel, touch and keys move the wall by
 * real pixels, while the scroll bar shows the position in the whole wall. The offset between box and wall is
 * corrected when scrolling rests.
 */
import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { isKeyForPage } from '../../ui/keys.ts';
import {
  computeScrollOffset,
  isAtScrollEdge,
  isScrollStuckAtEnd,
  type ScrollScale,
  toScrollBoxPosition,
} from './scale.ts';

export interface WallScroller {
  /** Returns the position in the wall at the window's top. */
  now(): number;
  goTo(y: number): void;
  /**
   * Moves the scroll box to wall position `y`, which the viewer already sees. With `orEnd`, a viewer at the
   * wall's end stays there.
   */
  hold(y: number, orEnd?: boolean): void;
  /** Moves the scroll bar to its correct position after scrolling rests. */
  rest(): void;
}

/**
 * Pixels between two frames. A larger step is a jump by the scroll bar, Home or End; wheel and touch may be
 * fast.
 */
const maxKeyStep = 4000;
const maxTouchStep = 40_000;
/** Milliseconds during which a touch screen may continue to scroll after its last touch. */
const momentumMs = 3000;

/** Returns the scroller and `base`, the offset between the box and the wall. */
export function useWallScroller(sheet: RefObject<HTMLElement | null>, wall: number, box: number) {
  const [made] = useState(() => createScroller(sheet));
  useLayoutEffect(() => made.measure(wall, box), [made, wall, box]);
  useLayoutEffect(() => made.listen(), [made]);
  return { scroller: made.scroller, base: useSyncExternalStore(made.subscribe, made.base) };
}

function createScroller(sheet: RefObject<HTMLElement | null>) {
  let base = 0;
  let heights = { wall: 0, box: 0 };
  /** Last scroll position in the box. */
  let last = 0;
  let swingsUntil = 0;
  let isTouched = false;
  /** Scroll position of the page at the wall's end, until the user scrolls away. */
  let endY: number | undefined;
  const readers = new Set<() => void>();

  const readBoxTop = () => -(sheet.current?.getBoundingClientRect().top ?? 0);
  const readWallTop = () => readBoxTop() + base;
  const scale = (): ScrollScale => ({ ...heights, view: window.innerHeight });
  const changeBase = (next: number) => {
    if (next === base) return;
    base = next;
    for (const reader of readers) reader();
  };

  const maxScrollY = () => document.documentElement.scrollHeight - window.innerHeight;
  const isAtEnd = () => window.scrollY > 0 && window.scrollY >= maxScrollY() - 1;
  /** Jumps to an end of the page, which is also an end of the wall. */
  const jumpToEnd = (top: number) => {
    window.scrollTo(0, top);
    last = readBoxTop();
    changeBase(computeScrollOffset(scale(), last));
    endY = isAtEnd() ? window.scrollY : undefined;
  };
  const scrollToWall = (y: number) => {
    endY = undefined;
    const target = toScrollBoxPosition(scale(), y);
    window.scrollTo(0, target + window.scrollY - readBoxTop());
    last = readBoxTop();
    changeBase(isAtScrollEdge(scale(), target) ? computeScrollOffset(scale(), target) : y - last);
  };
  const holdPosition = (y: number, orEnd = false) => {
    const staysAtEnd = orEnd && endY !== undefined && (window.scrollY === endY || isAtEnd());
    const isThere = staysAtEnd
      ? isAtEnd() && base === heights.wall - heights.box
      : Math.abs(toScrollBoxPosition(scale(), y) - readBoxTop()) < 1 && Math.abs(y - readWallTop()) < 1;
    if (isThere) return;
    const before = window.scrollY;
    if (staysAtEnd) jumpToEnd(maxScrollY());
    else scrollToWall(y);
    const by = window.scrollY - before;
    if (by !== 0) window.dispatchEvent(new CustomEvent('wall-held', { detail: by }));
  };
  const isScaled = () => heights.wall > heights.box;
  /**
   * Detects a jump even before its scroll event arrives, because the old offset would give a wrong position.
   */
  const detectJump = () => {
    const y = readBoxTop();
    const step = Math.abs(y - last);
    last = y;
    if (!isScaled() || step <= (performance.now() < swingsUntil ? maxTouchStep : maxKeyStep)) return false;
    changeBase(computeScrollOffset(scale(), y));
    return true;
  };
  const handleScroll = () => {
    const isJump = detectJump();
    endY = isAtEnd() && base === heights.wall - heights.box ? window.scrollY : undefined;
    if (!isJump && isScaled() && isScrollStuckAtEnd(scale(), last, base)) holdPosition(readWallTop());
  };
  const extendMomentum = () => {
    swingsUntil = performance.now() + momentumMs;
  };
  const endMomentum = () => {
    swingsUntil = 0;
  };
  /**
   * Makes Home and End jump at once. Browsers animate them over many frames, and the wall's corrections would
   * shift their target. A focused tile handles both keys itself: they focus the first and the last photo.
   */
  const handleKeyDown = (event: KeyboardEvent) => {
    const isEnd = event.key === 'Home' || event.key === 'End';
    if (!isEnd || event.shiftKey || event.altKey || event.metaKey || !isKeyForPage(event)) return;
    if ((event.target as Element).closest('.tile')) return;
    event.preventDefault();
    jumpToEnd(event.key === 'Home' ? 0 : maxScrollY());
  };
  const handleTouch = (event: Event) => {
    isTouched = (event as TouchEvent).touches.length > 0;
  };
  const heard = {
    ...{
      scroll: handleScroll,
      wheel: extendMomentum,
      touchmove: extendMomentum,
      keydown: endMomentum,
      pointerdown: endMomentum,
    },
    ...{ touchstart: handleTouch, touchend: handleTouch, touchcancel: handleTouch },
  };

  return {
    scroller: {
      now: () => {
        detectJump();
        return readWallTop();
      },
      goTo: scrollToWall,
      hold: holdPosition,
      rest: () => {
        if (isScaled() && !isTouched) holdPosition(readWallTop());
      },
    } satisfies WallScroller,
    base: () => base,
    subscribe: (reader: () => void) => {
      readers.add(reader);
      return () => readers.delete(reader);
    },
    measure: (wall: number, box: number) => {
      heights = { wall, box };
    },
    /** Adds the listeners in the capture phase, so that they run before all others that read the position. */
    listen: () => {
      const options = { passive: true, capture: true };
      for (const [name, hear] of Object.entries(heard)) window.addEventListener(name, hear, options);
      window.addEventListener('keydown', handleKeyDown);
      return () => {
        window.removeEventListener('keydown', handleKeyDown);
        for (const [name, hear] of Object.entries(heard)) window.removeEventListener(name, hear, options);
      };
    },
  };
}
