/** The list of an upload's files. Only visible rows and a few around them are rendered. */
import { useEffect, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import styles from './row.module.css';
import { UploadRow } from './row.tsx';
import type { UploadItem } from './snapshot.ts';

/** Height of an upload's row in rem; `.row` has the same value. */
const rowRem = 5;
const overscanRows = 3;

interface Props {
  items: readonly UploadItem[];
  maxBytes: number;
  onRemove(item: UploadItem): void;
}

export function UploadFileList({ items, maxBytes, onRemove }: Props) {
  const box = useRef<HTMLElement>(null);
  const [seen, setSeen] = useState({ first: 0, last: 12 });
  useEffect(() => {
    const element = box.current!;
    const updateVisibleRows = () => {
      const row = rowRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const first = Math.max(0, Math.floor(element.scrollTop / row) - overscanRows);
      const last = Math.ceil((element.scrollTop + element.clientHeight) / row) + overscanRows;
      setSeen((now) => (now.first === first && now.last === last ? now : { first, last }));
    };
    const observer = new ResizeObserver(updateVisibleRows);
    observer.observe(element);
    element.addEventListener('scroll', updateVisibleRows, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', updateVisibleRows);
    };
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the element scrolls, so the keyboard must reach it
    <section className={styles.box} ref={box} tabIndex={0} aria-label={t('uploadFiles')}>
      <ul className={styles.list} style={{ height: `${items.length * rowRem}rem` }}>
        {items.slice(seen.first, seen.last).map((item, n) => (
          <UploadRow
            key={item.key}
            item={item}
            index={seen.first + n}
            total={items.length}
            top={`${(seen.first + n) * rowRem}rem`}
            maxBytes={maxBytes}
            onRemove={onRemove}
          />
        ))}
      </ul>
    </section>
  );
}
