/**
 * Keeps the visible photos in place when the heights above them become exact. Restores the position after
 * Back and a reload, by photo instead of pixels, and follows the viewer's last photo.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { PhotoItem } from '../../api/types.ts';
import { isKeyForPage } from '../../ui/keys.ts';
import { findSectionIndexAt, findSectionIndexOfPhoto, type WallLayout } from './layout.ts';
import {
  readScrollAnchor,
  removeScrollAnchor,
  type ScrollAnchor,
  saveScrollAnchor,
} from './scroll-anchor.ts';
import type { WallScroller } from './use-scroller.ts';

interface AnchoredWall {
  sheet: RefObject<HTMLElement | null>;
  layout: WallLayout | undefined;
  getPhotos(section: WallLayout['placedSections'][number]['section']): PhotoItem[] | undefined;
  /** Id of the history entry. */
  entry: string;
  scroller: WallScroller;
}

const scrollKeys = /^(?:Home|End|Page.*|Arrow.*| )$/;

export function useScrollAnchor({ sheet, layout, getPhotos, entry, scroller }: AnchoredWall) {
  /** Photo to scroll to, until its section is loaded. Scrolling by wheel, touch or keyboard clears it. */
  const target = useRef<ScrollAnchor | undefined>(undefined);
  const before = useRef<WallLayout | undefined>(undefined);
  const started = useRef(false);
  const now = useRef({ layout, getPhotos, entry });
  now.current = { layout, getPhotos, entry };

  const goToTarget = useCallback(() => {
    const { layout, getPhotos } = now.current;
    if (!target.current || !layout || layout.placedSections.length === 0) return;
    const { top, isExact } = findPhotoTop(layout, getPhotos, target.current);
    scroller.goTo(top - target.current.offset);
    if (isExact) target.current = undefined;
  }, [scroller]);

  useLayoutEffect(() => {
    const last = before.current;
    before.current = layout;
    if (!layout) return;
    if (!started.current) {
      started.current = true;
      target.current = readScrollAnchor(now.current.entry) ?? target.current;
      // A newly opened wall starts at its top; the first wall stays at the document's scroll position.
      if (!target.current && history.state?.__TSR_index > 0) window.scrollTo(0, 0);
    }
    if (target.current) return goToTarget();
    const moved = last && last !== layout ? computeShift(last, layout, scroller.now()) : 0;
    const isSameList = last?.placedSections[0]?.section === layout.placedSections[0]?.section;
    scroller.hold(scroller.now() + moved, isSameList);
  }, [layout, goToTarget, scroller]);

  useEffect(() => {
    const releaseAnchor = (event: Event) => {
      if (event instanceof KeyboardEvent && !(scrollKeys.test(event.key) && isKeyForPage(event))) return;
      target.current = undefined;
    };
    const events = ['wheel', 'touchmove', 'keydown'];
    // The capture phase runs before tiles handle a key and set a new target.
    const options = { passive: true, capture: true };
    for (const event of events) window.addEventListener(event, releaseAnchor, options);
    return () => {
      for (const event of events) window.removeEventListener(event, releaseAnchor, options);
    };
  }, []);

  /** Stores the position when scrolling rests, and before a press or page change that may leave the wall. */
  const remember = useCallback(() => {
    const { layout, getPhotos, entry } = now.current;
    if (!layout || target.current || !sheet.current) return;
    // At the top, newer photos must not push the wall down.
    if (window.scrollY <= 0) return removeScrollAnchor(entry);
    const place = findAnchor(layout, getPhotos, scroller.now());
    if (place) saveScrollAnchor(entry, place);
  }, [sheet, scroller]);

  // A layout with exact heights may move the content without a scroll event, so the position is stored again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run for each new layout
  useEffect(remember, [layout, remember]);

  useEffect(() => {
    const moments = ['pointerdown', 'pagehide'];
    for (const moment of moments) window.addEventListener(moment, remember);
    return () => {
      for (const moment of moments) window.removeEventListener(moment, remember);
    };
  }, [remember]);

  /** Scrolls to a photo unless the photo is in the window. */
  const reveal = useCallback(
    (index: number, id: number) => {
      const { layout, getPhotos } = now.current;
      if (!layout || layout.placedSections.length === 0) {
        target.current = { index, id, offset: window.innerHeight / 3 };
        return;
      }
      const { top } = findPhotoTop(layout, getPhotos, { index, id });
      const y = top - scroller.now();
      if (y >= 0 && y < window.innerHeight * 0.7) return;
      // A photo below the window comes up to its lower part, so that the wall moves little.
      target.current = { index, id, offset: window.innerHeight * (y < 0 ? 1 / 3 : 0.6) };
      goToTarget();
    },
    [goToTarget, scroller],
  );

  return { remember, reveal };
}

/** Returns how far the content at `y` moves from one layout to the next. */
function computeShift(last: WallLayout, next: WallLayout, y: number): number {
  if (y <= 0 || last.placedSections.length !== next.placedSections.length || last.placedSections.length === 0)
    return 0;
  const at = findSectionIndexAt(last, y);
  const [from, to] = [last.placedSections[at]!, next.placedSections[at]!];
  const within = Math.max(0, y - from.top);
  return to.top + within * (to.height / from.height) - y;
}

/** Returns the top of a photo: found by id, or by index if the photo is gone or not loaded. */
function findPhotoTop(
  layout: WallLayout,
  getPhotos: AnchoredWall['getPhotos'],
  { index, id }: Omit<ScrollAnchor, 'offset'>,
) {
  const at = findSectionIndexOfPhoto(layout, index);
  for (const near of [at, at - 1, at + 1]) {
    const place = layout.placedSections[near];
    const found = place?.boxes && getPhotos(place.section)?.findIndex((photo) => photo.id === id);
    if (place && found !== undefined && found >= 0) {
      return { top: place.top + place.head + (place.boxes?.[found]?.top ?? 0), isExact: true };
    }
  }
  const place = layout.placedSections[at]!;
  const within = Math.min(index, place.section.from + place.section.count - 1) - place.section.from;
  const box = place.boxes?.[within];
  if (box) return { top: place.top + place.head + box.top, isExact: true };
  const inner = place.height - place.head;
  return { top: place.top + place.head + (inner * within) / place.section.count, isExact: false };
}

/** Returns the first photo whose top lies in the window. */
function findAnchor(
  layout: WallLayout,
  getPhotos: AnchoredWall['getPhotos'],
  y: number,
): ScrollAnchor | undefined {
  for (let at = findSectionIndexAt(layout, Math.max(0, y)); at < layout.placedSections.length; at++) {
    const { section, boxes, top, head } = layout.placedSections[at]!;
    const photos = getPhotos(section);
    if (!boxes || !photos) return undefined;
    const within = boxes.findIndex((box) => top + head + box.top >= y);
    if (within === -1) continue;
    const offset = top + head + boxes[within]!.top - y;
    return { index: section.from + within, id: photos[within]!.id, offset };
  }
  return undefined;
}
