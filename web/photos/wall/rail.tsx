/** The rail of time beside a wall: its years, where one is, and a way to any month, by hand and by keyboard. */
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { headingOf } from '../../../server/gallery/pages/sections.ts';
import { language, t } from '../../messages/messages.ts';
import { type Layout, placeAt } from './layout.ts';
import styles from './rail.module.css';
import type { Scroller } from './use-scroller.ts';

interface Props {
  layout: Layout;
  scroller: Scroller;
}

/** Years nearer than this to the one above are left out. */
const leastApart = 0.045;
const pageKeys: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 };

export function Rail({ layout, scroller }: Props) {
  const rail = useRef<HTMLDivElement>(null);
  const [part, setPart] = useState(0);
  const [isHeld, setHeld] = useState(false);
  const years = useMemo(() => yearsOf(layout), [layout]);

  useEffect(() => {
    const follow = () => setPart(partOf(layout, scroller.now()));
    follow();
    window.addEventListener('scroll', follow, { passive: true });
    return () => window.removeEventListener('scroll', follow);
  }, [layout, scroller]);

  if (layout.places[0]?.section.newest === '' || layout.height < 3 * window.innerHeight) return null;
  const at = layout.places[placeAt(layout, part * layout.height)]!;
  const name = headingOf({ ...at.section, isContinued: false }, language());

  const drag = (event: PointerEvent) => {
    const { top, height } = rail.current!.getBoundingClientRect();
    const wanted = Math.min(1, Math.max(0, (event.clientY - top) / height));
    scroller.goTo(wanted * (layout.height - window.innerHeight));
  };
  const hold = (event: PointerEvent) => {
    rail.current!.setPointerCapture(event.pointerId);
    setHeld(true);
    drag(event);
  };
  const press = (event: KeyboardEvent) => {
    const index = layout.places.indexOf(at);
    const last = layout.places.length - 1;
    const wanted = { Home: 0, End: last }[event.key] ?? index + (pageKeys[event.key] ?? 0);
    if (wanted === index) return;
    event.preventDefault();
    scroller.goTo(layout.places[Math.min(last, Math.max(0, wanted))]!.top);
  };

  return (
    <div
      ref={rail}
      className={styles.rail}
      role="slider"
      tabIndex={0}
      aria-label={t('timeRail')}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
      aria-valuetext={name}
      data-held={isHeld || undefined}
      onPointerDown={hold}
      onPointerMove={(event) => isHeld && drag(event)}
      onPointerUp={() => setHeld(false)}
      onPointerCancel={() => setHeld(false)}
      onKeyDown={press}
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

/** From 0 at the top to 1 at the end. */
function partOf({ height }: Layout, y: number): number {
  return Math.min(1, Math.max(0, y / Math.max(1, height - window.innerHeight)));
}

/** Each year once, where its first section begins. */
function yearsOf({ places, height }: Layout): { year: string; top: number }[] {
  const years: { year: string; top: number }[] = [];
  for (const { section, top } of places) {
    const year = section.newest.slice(0, 4);
    const last = years.at(-1);
    if (year !== last?.year && (!last || top / height - last.top > leastApart)) {
      years.push({ year, top: top / height });
    }
  }
  return years;
}
