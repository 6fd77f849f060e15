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
const keySteps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 };

export function YearRail({ layout, scroller }: Props) {
  const rail = useRef<HTMLDivElement>(null);
  const [part, setPart] = useState(0);
  const [isHeld, setHeld] = useState(false);
  const years = useMemo(() => listYears(layout), [layout]);

  useEffect(() => {
    const updatePosition = () => setPart(scrolledShare(layout, scroller.now()));
    updatePosition();
    window.addEventListener('scroll', updatePosition, { passive: true });
    return () => window.removeEventListener('scroll', updatePosition);
  }, [layout, scroller]);

  if (layout.placedSections[0]?.section.newest === '' || layout.height < 3 * window.innerHeight) return null;
  const at = layout.placedSections[findSectionIndexAt(layout, part * layout.height)]!;
  const name = formatSectionHeading({ ...at.section, isContinued: false }, getLanguage());

  const scrollToPointer = (event: PointerEvent) => {
    const { top, height } = rail.current!.getBoundingClientRect();
    const wanted = Math.min(1, Math.max(0, (event.clientY - top) / height));
    scroller.goTo(wanted * (layout.height - window.innerHeight));
  };
  const startDrag = (event: PointerEvent) => {
    rail.current!.setPointerCapture(event.pointerId);
    setHeld(true);
    scrollToPointer(event);
  };
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
      onPointerMove={(event) => isHeld && scrollToPointer(event)}
      onPointerUp={() => setHeld(false)}
      onPointerCancel={() => setHeld(false)}
      onKeyDown={handleKeyDown}
    >
      {years.map(({ year, top }) => (
        <span key={year} className={styles.year} style={{ top: `${top * 100}%` }} aria-hidden="true">
          {year}
        </span>
      ))}
      <span className={styles.here} style={{ top: `${part * 100}%` }} aria-hidden="true">
        <span>{name}</span>
      </span>
    </div>
  );
}

/** Returns the scroll position as a fraction: 0 at the top, 1 at the end. */
function scrolledShare({ height }: WallLayout, y: number): number {
  return Math.min(1, Math.max(0, y / Math.max(1, height - window.innerHeight)));
}

/** Lists each year once, at the top of its first section. */
function listYears({ placedSections, height }: WallLayout): { year: string; top: number }[] {
  const years: { year: string; top: number }[] = [];
  for (const { section, top } of placedSections) {
    const year = section.newest.slice(0, 4);
    const last = years.at(-1);
    if (year !== last?.year && (!last || top / height - last.top > minYearGap)) {
      years.push({ year, top: top / height });
    }
  }
  return years;
}
