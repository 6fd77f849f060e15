/** A photo on a wall: a link with the size of its box, showing a placeholder until the image is loaded. */
import { memo, useLayoutEffect, useRef, useState } from 'react';
import type { TileBox } from '../../../server/gallery/pages/rows.ts';
import type { PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { VisibilityMark } from '../../visibility/mark.tsx';
import { getPhotoName } from '../name.ts';
import { findFirstImage } from './first-images.ts';
import { showPlaceholder } from './placeholder.ts';
import styles from './wall.module.css';

interface Props {
  photo: PhotoItem;
  box: TileBox;
  /** URL of the photo; undefined if photos can only be selected. */
  href: string | undefined;
  note: string | undefined;
  isOffered: boolean;
  isSelected: boolean;
  isLeaving: boolean;
  /** The photo cannot be selected. */
  isTaken: boolean;
  /** The Tab key reaches this tile. */
  isStop: boolean;
  /** The wall scrolls fast, so a new tile does not load its image yet. */
  isFast: boolean;
}

const tileWidths = [320, 640, 960, 1280];

export const Tile = memo(function Tile(props: Props) {
  const { photo, box, href, note, isOffered, isSelected, isLeaving, isTaken, isStop, isFast } = props;
  const known = findFirstImage(photo.id);
  const [isShown, setShown] = useState(known !== undefined);
  const [isWanted, setWanted] = useState(known !== undefined);
  const image = useCancelledRequest();
  const tile = useRef<HTMLAnchorElement>(null);
  useLayoutEffect(() => {
    if (isWanted || isFast) return undefined;
    // The photos in the window are requested before the photos around it.
    if (isInWindow(tile.current!)) return setWanted(true);
    const frame = requestAnimationFrame(() => setWanted(true));
    return () => cancelAnimationFrame(frame);
  }, [isWanted, isFast]);
  const { placeholder } = photo;
  useLayoutEffect(
    () => (placeholder === '' ? undefined : showPlaceholder(tile.current!, placeholder)),
    [placeholder],
  );
  const author = getAuthorName(photo.user);
  const name = getPhotoName(photo);
  return (
    <>
      <a
        ref={tile}
        className={`tile ${styles.tile}`}
        href={href}
        {...(href === undefined && {
          ...{ role: 'checkbox', 'aria-checked': isSelected },
          ...(isTaken && { 'aria-disabled': true }),
        })}
        tabIndex={isStop ? 0 : -1}
        data-id={photo.id}
        data-selected={isSelected || undefined}
        data-leaving={isLeaving || undefined}
        style={{ ...box }}
      >
        <img
          ref={image}
          {...(known
            ? { src: known }
            : isWanted && { src: photo.thumb, srcSet: createSrcSet(photo), sizes: `${box.width}px` })}
          alt={name}
          decoding={known ? 'sync' : 'async'}
          data-shown={isShown || undefined}
          onLoad={() => setShown(true)}
          onError={() => setShown(false)}
          draggable={false}
        />
        <span className={styles.caption} aria-hidden="true">
          <span>{photo.title}</span>
          <span data-author={photo.user.username || undefined}>{author}</span>
        </span>
        {!note && <VisibilityMark level={photo.effective_visibility} className={styles.level} />}
        {note && <span className={styles.note}>{note}</span>}
      </a>
      {isOffered && !isTaken && (
        <button
          className={styles.check}
          type="button"
          tabIndex={-1}
          aria-label={t('select', { name })}
          aria-pressed={isSelected}
          data-id={photo.id}
          data-check
          style={{ left: box.left, top: box.top }}
        />
      )}
    </>
  );
});

function isInWindow(tile: Element): boolean {
  const { top, bottom } = tile.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/** Ends the request of an image whose tile leaves the wall, so that the images in the window come first. */
function useCancelledRequest() {
  const image = useRef<HTMLImageElement>(null);
  useLayoutEffect(() => {
    const element = image.current!;
    return () => {
      if (element.complete) return;
      element.removeAttribute('srcset');
      element.removeAttribute('src');
    };
  }, []);
  return image;
}

function getAuthorName({ nickname, username }: PhotoItem['user']): string {
  return nickname || username;
}

/** Returns a `srcset` with the widths up to the first that is not smaller than the picture. */
export function createSrcSet({ image, width }: Pick<PhotoItem, 'image' | 'width'>): string {
  return tileWidths
    .filter((_, index) => index === 0 || tileWidths[index - 1]! < width)
    .map((one) => `${image.replace('{width}', String(one))} ${Math.min(one, width)}w`)
    .join(', ');
}
