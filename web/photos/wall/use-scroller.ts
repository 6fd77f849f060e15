/**
 * Scrolls a wall of any height. The place of the scroll bar is that in the wall; what wheel, fingers and keys move, they
 * move by real pixels: the wall's place is that of its box and a base, which is put right where scrolling rests.
 */
import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { isMeantForPage } from '../../ui/keys.ts';
import { computeBase, isAtEdge, isStuckAtEnd, type ScrollScale, wallToBox } from './scale.ts';

export interface Scroller {
  /** Height of the wall at the window's top. */
  now(): number;
  goTo(y: number): void;
  /** To where one is already, seen from what one looks at; `orEnd`: who is at the wall's end stays there. */
  hold(y: number, orEnd?: boolean): void;
  /** Scrolling rests: the scroll bar shows where. */
  rest(): void;
}

/** Pixels between two frames: more is a jump, with the scroll bar or by Home and End; wheels and fingers may be fast. */
const maxKeyStep = 4000;
const maxTouchStep = 40_000;
/** For so long after its last touch, a screen may go on scrolling. */
const momentumMs = 3000;

/** `base`: how far the box's top is from the wall's. */
export function useScroller(sheet: RefObject<HTMLElement | null>, wall: number, box: number) {
  const [made] = useState(() => createScroller(sheet));
  useLayoutEffect(() => made.measure(wall, box), [made, wall, box]);
  useLayoutEffect(() => made.listen(), [made]);
  return { scroller: made.scroller, base: useSyncExternalStore(made.subscribe, made.base) };
}

function createScroller(sheet: RefObject<HTMLElement | null>) {
  let base = 0;
  let heights = { wall: 0, box: 0 };
  /** Of the box. */
  let last = 0;
  let swingsUntil = 0;
  let isTouched = false;
  /** Of the page, where its end was seen last, unless one has gone elsewhere since. */
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
  /** To an end of the page, which is that of the wall. */
  const jumpToEnd = (top: number) => {
    window.scrollTo(0, top);
    last = readBoxTop();
    changeBase(computeBase(scale(), last));
    endY = isAtEnd() ? window.scrollY : undefined;
  };
  const scrollToWall = (y: number) => {
    endY = undefined;
    const target = wallToBox(scale(), y);
    window.scrollTo(0, target + window.scrollY - readBoxTop());
    last = readBoxTop();
    changeBase(isAtEdge(scale(), target) ? computeBase(scale(), target) : y - last);
  };
  const holdPosition = (y: number, orEnd = false) => {
    const staysAtEnd = orEnd && endY !== undefined && (window.scrollY === endY || isAtEnd());
    const isThere = staysAtEnd
      ? isAtEnd() && base === heights.wall - heights.box
      : Math.abs(wallToBox(scale(), y) - readBoxTop()) < 1 && Math.abs(y - readWallTop()) < 1;
    if (isThere) return;
    const before = window.scrollY;
    if (staysAtEnd) jumpToEnd(maxScrollY());
    else scrollToWall(y);
    const by = window.scrollY - before;
    if (by !== 0) window.dispatchEvent(new CustomEvent('wall-held', { detail: by }));
  };
  const isScaled = () => heights.wall > heights.box;
  /** Also before the event of a jump has come: a base from before it would take one elsewhere. */
  const detectJump = () => {
    const y = readBoxTop();
    const step = Math.abs(y - last);
    last = y;
    if (!isScaled() || step <= (performance.now() < swingsUntil ? maxTouchStep : maxKeyStep)) return false;
    changeBase(computeBase(scale(), y));
    return true;
  };
  const handleScroll = () => {
    const isJump = detectJump();
    endY = isAtEnd() && base === heights.wall - heights.box ? window.scrollY : undefined;
    if (!isJump && isScaled() && isStuckAtEnd(scale(), last, base)) holdPosition(readWallTop());
  };
  const extendMomentum = () => {
    swingsUntil = performance.now() + momentumMs;
  };
  const endMomentum = () => {
    swingsUntil = 0;
  };
  /**
   * Home and End lead there at once. Browsers go over many frames, Chromium in a thread of its own: what the wall puts
   * right meanwhile is added to where they arrive, also when it comes before their first frame. A tile has keys of its
   * own, which lead to the first and the last one.
   */
  const handleKeyDown = (event: KeyboardEvent) => {
    const isEnd = event.key === 'Home' || event.key === 'End';
    if (!isEnd || event.shiftKey || event.altKey || event.metaKey || !isMeantForPage(event)) return;
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
    } satisfies Scroller,
    base: () => base,
    subscribe: (reader: () => void) => {
      readers.add(reader);
      return () => readers.delete(reader);
    },
    measure: (wall: number, box: number) => {
      heights = { wall, box };
    },
    /** Before all others that ask where the wall is. */
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
