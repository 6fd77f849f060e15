/** A row for an album: a checkbox if the tick is known, or a button. */
import type { Album } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { VisibilityMark } from '../../visibility/mark.tsx';
import styles from './album-list.module.css';

interface Props {
  album: Album;
  /** The album above, if it is loaded. */
  parent: Album | undefined;
  isMain: boolean;
  /** Whether the album contains the photo; undefined for a row without a tick. */
  isTicked: boolean | undefined;
  isBusy: boolean;
  isDisabled: boolean;
  onChoose(): void;
}

export function AlbumChoiceRow({ album, parent, isMain, isTicked, isBusy, isDisabled, onChoose }: Props) {
  const { id, name, cover, effective_visibility, photo_count } = album;
  const content = (
    <>
      <span className={styles.cover}>{cover && <img src={cover} loading="lazy" alt="" />}</span>
      <span className={styles.name}>
        <span dir="auto">{parent ? `${parent.name} / ${name}` : name}</span>
        <span className={styles.facts}>
          <VisibilityMark level={effective_visibility} />
          {[photo_count !== null && t('photosFound', { count: photo_count }), isMain && t('mainAlbum')]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
    </>
  );
  if (isTicked === undefined) {
    return (
      <li data-album={id}>
        <button
          className={styles.row}
          type="button"
          disabled={isDisabled || isMain}
          aria-busy={isBusy}
          onClick={onChoose}
        >
          {content}
        </button>
      </li>
    );
  }
  return (
    <li data-album={id}>
      <label className={styles.row} aria-busy={isBusy}>
        {content}
        <input type="checkbox" disabled={isDisabled} checked={isTicked} onChange={onChoose} />
      </label>
    </li>
  );
}
