/**
 * The timeline rail beside a wall: years, the current position, and jumps to a month by pointer or keyboard.
 */
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { formatSectionHeading } from '../../../server/gallery/pages/sections.ts';
import { getLanguage, t } from '../../messages/messages.ts';
import { findSectionIndexAt, type WallLayout } from './layout.ts';
import type { WallScroller } from './use-scroller.ts';
import styles from './year-rail.module.css';

interface Props {
  layout: WallLayout;
  scroller: WallScroller;
}

/**
 * A year is left out if its start is closer than this to the year above, as a fraction of the wall's height.
 */
const minYearGap = 0.045;
/** A scroll position is rounded to whole pixels, which may be above the start of its section. */
const roundingPx = 1;
const keySteps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 };

export function YearRail({ layout, scroller }: Props) {
  const rail = useRef<HTMLDivElement>(null);
  const [part, setPart] = useState(0);
  const [isHeld, setHeld] = useState(false);
  /** Fraction of the rail below the mouse. */
  const [pointed, setPointed] = useState<number>();
  const years = useMemo(() => listYears(layout), [layout]);

  useEffect(() => {
    const updatePosition = () => setPart(scrolledShare(layout, scroller.now()));
    updatePosition();
    window.addEventListener('scroll', updatePosition, { passive: true });
    return () => window.removeEventListener('scroll', updatePosition);
  }, [layout, scroller]);

  if (layout.placedSections[0]?.section.newest === '' || layout.height < 3 * window.innerHeight) return null;
  const range = scrollRange(layout);
  const findSection = (share: number) =>
    layout.placedSections[findSectionIndexAt(layout, share * range + roundingPx)]!;
  const at = findSection(part);
  const name = formatSectionHeading({ ...at.section, isContinued: false }, getLanguage());

  const readPointer = (event: PointerEvent) => {
    const { top, height } = rail.current!.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientY - top) / height));
  };
  const findPointedYear = (event: PointerEvent) => {
    const label = (event.target as Element).closest<HTMLElement>('[data-year]');
    return years.find(({ year }) => year === label?.dataset.year);
  };
  const startDrag = (event: PointerEvent) => {
    rail.current!.setPointerCapture(event.pointerId);
    setHeld(true);
    const year = findPointedYear(event);
    scroller.goTo(year ? year.y : readPointer(event) * range);
  };
  const movePointer = (event: PointerEvent) => {
    const share = readPointer(event);
    if (isHeld) scroller.goTo(share * range);
    else if (event.pointerType === 'mouse') setPointed(findPointedYear(event)?.top ?? share);
  };
  const shown = isHeld ? undefined : pointed;
  const shownSection = findSection(shown ?? part);
  const shownName = formatSectionHeading({ ...shownSection.section, isContinued: false }, getLanguage());
  const handleKeyDown = (event: KeyboardEvent) => {
    const index = layout.placedSections.indexOf(at);
    const last = layout.placedSections.length - 1;
    const wanted = { Home: 0, End: last }[event.key] ?? index + (keySteps[event.key] ?? 0);
    if (wanted === index) return;
    event.preventDefault();
    scroller.goTo(layout.placedSections[Math.min(last, Math.max(0, wanted))]!.top);
  };

  return (
    <div
      ref={rail}
      className={styles.rail}
      role="slider"
      tabIndex={0}
      aria-label={t('timeline')}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
      aria-valuetext={name}
      data-held={isHeld || undefined}
      onPointerDown={startDrag}
      onPointerMove={movePointer}
      onPointerLeave={() => setPointed(undefined)}
      onPointerUp={() => setHeld(false)}
      onPointerCancel={() => setHeld(false)}
      onKeyDown={handleKeyDown}
    >
      {years.map(({ year, top }) => (
        <span
          key={year}
          className={styles.year}
          style={{ top: `${top * 100}%` }}
          data-year={year}
          aria-hidden="true"
        >
          {year}
        </span>
      ))}
      <span className={styles.here} style={{ top: `${(shown ?? part) * 100}%` }} aria-hidden="true">
        <span>{shownName}</span>
      </span>
    </div>
  );
}

/** Returns the scroll position as a fraction: 0 at the top, 1 at the end. */
function scrolledShare(layout: WallLayout, y: number): number {
  return Math.min(1, Math.max(0, y / scrollRange(layout)));
}

/** Pixels from the first position of the wall to its last. */
function scrollRange({ height }: WallLayout): number {
  return Math.max(1, height - window.innerHeight);
}

/** Lists each year once, with the position of its first section in the wall and in the rail. */
function listYears(layout: WallLayout): { year: string; y: number; top: number }[] {
  const years: { year: string; y: number; top: number }[] = [];
  for (const { section, top: y } of layout.placedSections) {
    const year = section.newest.slice(0, 4);
    const top = scrolledShare(layout, y);
    const last = years.at(-1);
    if (year !== last?.year && (!last || top - last.top > minYearGap)) years.push({ year, y, top });
  }
  return years;
}
