/**
 * Keeps what one looks at where it is: when heights above it become exact, after Back and a reload (by the photo, not
 * by pixels), and when the viewer closes on another photo.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { PhotoItem } from '../../api/types.ts';
import { isForPage } from '../../ui/keys.ts';
import { type Layout, placeAt, placeOfPhoto } from './layout.ts';
import { recallPlace, rememberPlace, type WallPlace } from './memory.ts';
import type { Scroller } from './use-scroller.ts';

interface Wall {
  sheet: RefObject<HTMLElement | null>;
  layout: Layout | undefined;
  photosOf(section: Layout['places'][number]['section']): PhotoItem[] | undefined;
  /** Of the history. */
  entry: string;
  scroller: Scroller;
}

const scrollKeys = /^(?:Home|End|Page.*|Arrow.*| )$/;

export function usePlace({ sheet, layout, photosOf, entry, scroller }: Wall) {
  /** Where to go, until its photos are there; a hand on the wheel or on the keys ends it. */
  const target = useRef<WallPlace | undefined>(undefined);
  const before = useRef<Layout | undefined>(undefined);
  const started = useRef(false);
  const now = useRef({ layout, photosOf, entry });
  now.current = { layout, photosOf, entry };

  const goToTarget = useCallback(() => {
    const { layout, photosOf } = now.current;
    if (!target.current || !layout || layout.places.length === 0) return;
    const { top, isExact } = topOfPhoto(layout, photosOf, target.current);
    scroller.goTo(top - target.current.offset);
    if (isExact) target.current = undefined;
  }, [scroller]);

  useLayoutEffect(() => {
    const last = before.current;
    before.current = layout;
    if (!layout) return;
    if (!started.current) {
      started.current = true;
      target.current = recallPlace(now.current.entry) ?? target.current;
      // A wall that one has just come to begins at its top; the first one stays where its document was scrolled to.
      if (!target.current && history.state?.__TSR_index > 0) window.scrollTo(0, 0);
    }
    if (target.current) return goToTarget();
    const moved = last && last !== layout ? shiftAt(last, layout, scroller.now()) : 0;
    const isSameList = last?.places[0]?.section === layout.places[0]?.section;
    scroller.hold(scroller.now() + moved, isSameList);
  }, [layout, goToTarget, scroller]);

  useEffect(() => {
    const letGo = (event: Event) => {
      if (event instanceof KeyboardEvent && !(scrollKeys.test(event.key) && isForPage(event))) return;
      target.current = undefined;
    };
    const hands = ['wheel', 'touchmove', 'keydown'];
    // Before tiles hear a key, and say where to go.
    const options = { passive: true, capture: true };
    for (const hand of hands) window.addEventListener(hand, letGo, options);
    return () => {
      for (const hand of hands) window.removeEventListener(hand, letGo, options);
    };
  }, []);

  /** At rest, and before a hand does something that may lead away. */
  const remember = useCallback(() => {
    const { layout, photosOf, entry } = now.current;
    if (!layout || target.current || !sheet.current) return;
    const place = placeNow(layout, photosOf, scroller.now());
    if (place) rememberPlace(entry, place);
  }, [sheet, scroller]);

  // Heights that became exact may put right where one is without another scroll.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the layout is what it follows
  useEffect(remember, [layout, remember]);

  useEffect(() => {
    const moments = ['pointerdown', 'pagehide'];
    for (const moment of moments) window.addEventListener(moment, remember);
    return () => {
      for (const moment of moments) window.removeEventListener(moment, remember);
    };
  }, [remember]);

  /** Brings a photo of the list into the window, unless it is there. */
  const reveal = useCallback(
    (index: number, id: number) => {
      const { layout, photosOf } = now.current;
      if (!layout || layout.places.length === 0) {
        target.current = { index, id, offset: window.innerHeight / 3 };
        return;
      }
      const { top } = topOfPhoto(layout, photosOf, { index, id });
      const y = top - scroller.now();
      if (y >= 0 && y < window.innerHeight * 0.7) return;
      target.current = { index, id, offset: window.innerHeight / 3 };
      goToTarget();
    },
    [goToTarget, scroller],
  );

  return { remember, reveal };
}

/** How far what stands at `y` moves from one layout to the next. */
function shiftAt(last: Layout, next: Layout, y: number): number {
  if (y <= 0 || last.places.length !== next.places.length || last.places.length === 0) return 0;
  const at = placeAt(last, y);
  const [from, to] = [last.places[at]!, next.places[at]!];
  const within = Math.max(0, y - from.top);
  return to.top + within * (to.height / from.height) - y;
}

/** By the photo itself; by its place in the list where it is gone, or not here yet. */
function topOfPhoto(layout: Layout, photosOf: Wall['photosOf'], { index, id }: Omit<WallPlace, 'offset'>) {
  const at = placeOfPhoto(layout, index);
  for (const near of [at, at - 1, at + 1]) {
    const place = layout.places[near];
    const found = place?.boxes && photosOf(place.section)?.findIndex((photo) => photo.id === id);
    if (place && found !== undefined && found >= 0) {
      return { top: place.top + place.head + (place.boxes?.[found]?.top ?? 0), isExact: true };
    }
  }
  const place = layout.places[at]!;
  const within = Math.min(index, place.section.from + place.section.count - 1) - place.section.from;
  const box = place.boxes?.[within];
  if (box) return { top: place.top + place.head + box.top, isExact: true };
  const inner = place.height - place.head;
  return { top: place.top + place.head + (inner * within) / place.section.count, isExact: false };
}

/** The first photo that is whole in the window. */
function placeNow(layout: Layout, photosOf: Wall['photosOf'], y: number): WallPlace | undefined {
  for (let at = placeAt(layout, Math.max(0, y)); at < layout.places.length; at++) {
    const { section, boxes, top, head } = layout.places[at]!;
    const photos = photosOf(section);
    if (!boxes || !photos) return undefined;
    const within = boxes.findIndex((box) => top + head + box.top >= y);
    if (within === -1) continue;
    const offset = top + head + boxes[within]!.top - y;
    return { index: section.from + within, id: photos[within]!.id, offset };
  }
  return undefined;
}
