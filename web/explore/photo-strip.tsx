/** A row of photos that scrolls sideways. Each photo is a link. */
import { useRouter } from '@tanstack/react-router';
import type { FocusEvent, MouseEvent } from 'react';
import { getTileRatio } from '../../server/gallery/photos/tile-ratio.ts';
import type { PhotoItem } from '../api/types.ts';
import { getPhotoName } from '../photos/name.ts';
import { createSrcSet } from '../photos/wall/tile.tsx';
import styles from './explore.module.css';

interface Props {
  photos: PhotoItem[];
  /** URL of the wall with all photos. */
  to: string;
  label: string;
}

/** Scrolls a focused photo into the row. Browsers leave a photo of which a part is visible where it is. */
const showWhole = ({ currentTarget }: FocusEvent) =>
  currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' });

export function PhotoStrip({ photos, to, label }: Props) {
  const { history } = useRouter();
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    // Closing the photo leads back to this page.
    history.push(event.currentTarget.pathname, { isOverWall: true });
  };
  return (
    <ul className={styles.strip} aria-label={label}>
      {photos.map((photo) => (
        <li key={photo.id} style={{ aspectRatio: getTileRatio(photo) }}>
          <a href={`${to}/photos/${photo.id}`} onClick={handleClick} onFocus={showWhole}>
            <img
              src={photo.thumb}
              srcSet={createSrcSet(photo)}
              sizes={`${Math.round(getTileRatio(photo) * 200)}px`}
              alt={getPhotoName(photo)}
              loading="lazy"
              decoding="async"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}
