/** A section of a wall: its heading and photos, or empty rows until the photos are loaded. */
import { memo } from 'react';
import { formatSectionHeading } from '../../../server/gallery/pages/sections.ts';
import type { PhotoItem } from '../../api/types.ts';
import { getLanguage, t } from '../../messages/messages.ts';
import type { PlacedSection } from './layout.ts';
import type { SelectionMarks } from './selection-state.ts';
import { Tile } from './tile.tsx';
import styles from './wall.module.css';

interface Props {
  place: PlacedSection;
  /** Distance from the top of the scroll box, in pixels. */
  top: number;
  photos: PhotoItem[] | undefined;
  /** Returns a photo's URL; undefined if photos can only be selected. */
  getHref: ((id: number) => string) | undefined;
  getNote: ((photo: PhotoItem) => string) | undefined;
  marks: SelectionMarks;
  /** The photo whose tile the Tab key reaches; undefined if it is in another section. */
  stop: number | undefined;
  isFast: boolean;
}

export const WallSection = memo(function WallSection(props: Props) {
  const { place, top, photos, getHref, getNote, marks, stop, isFast } = props;
  const { section, height, head, boxes } = place;
  const heading = formatSectionHeading(section, getLanguage());
  return (
    <section className={styles.section} style={{ top, height }} aria-label={heading || undefined}>
      {heading && (
        <div className="wall-heading" style={{ height: head }}>
          <h2>{heading}</h2>
          <span className="wall-count">{section.total.toLocaleString(getLanguage())}</span>
          {marks.isOffered && (
            <button
              className="wall-select"
              type="button"
              tabIndex={stop === undefined ? -1 : 0}
              data-from={section.from}
              data-total={section.total}
              aria-label={t('selectMonth', { heading })}
            >
              {t('selectShort')}
            </button>
          )}
        </div>
      )}
      <div className={styles.rows} style={{ top: head }} data-waits={!boxes || undefined}>
        {boxes?.map((box, index) => {
          const photo = photos?.[index];
          return (
            photo && (
              <Tile
                key={photo.id}
                photo={photo}
                box={box}
                href={getHref?.(photo.id)}
                note={getNote?.(photo)}
                isOffered={marks.isOffered}
                isSelected={marks.selected.has(photo.id)}
                isLeaving={marks.leaving.has(photo.id)}
                isTaken={marks.taken.has(photo.id)}
                isStop={photo.id === stop}
                isFast={isFast}
              />
            )
          );
        })}
      </div>
    </section>
  );
}, areSameProps);

function areSameProps(one: Props, other: Props): boolean {
  const { place, top, photos, getHref, getNote, marks, stop, isFast } = one;
  return (
    top === other.top &&
    place.height === other.place.height &&
    place.section === other.place.section &&
    boxesAreSame(place.boxes, other.place.boxes) &&
    photosAreSame(photos, other.photos) &&
    getHref === other.getHref &&
    getNote === other.getNote &&
    marks === other.marks &&
    stop === other.stop &&
    isFast === other.isFast
  );
}

function boxesAreSame(one: PlacedSection['boxes'], other: PlacedSection['boxes']): boolean {
  if (one === other) return true;
  if (!one || !other || one.length !== other.length) return false;
  return one.every((box, index) => box.top === other[index]!.top && box.width === other[index]!.width);
}

function photosAreSame(one: PhotoItem[] | undefined, other: PhotoItem[] | undefined): boolean {
  if (one === other) return true;
  return one?.length === other?.length && (one ?? []).every((photo, index) => photo === other?.[index]);
}
