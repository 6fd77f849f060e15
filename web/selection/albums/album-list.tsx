/** The user's albums with a search field. A row adds to its album; a tick shows that the album has the photo. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type FormEvent, type UIEvent, useEffect, useRef, useState } from 'react';
import type { Album } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { describeError } from '../../ui/error-notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import styles from './album-list.module.css';
import { AlbumChoiceRow } from './album-row.tsx';
import { userAlbumsQuery } from './queries.ts';

interface Props {
  user: number;
  /** Id of the album whose photos are being changed. */
  busy: number | undefined;
  /** Id of the photo's main album. */
  mainId: number | undefined;
  /** Returns whether the album contains the photo; undefined if rows have no ticks. */
  isTicked: ((album: Album) => boolean) | undefined;
  isDisabled: boolean;
  onChoose(album: Album): void;
  /** Called with the typed text. */
  onNew(name: string): void;
}

/** Milliseconds after the last key press until the search starts. */
const searchDelayMs = 250;
/** Height of a row in rem, as in album-list.module.css. */
const rowHeight = 3.5;
/** The last row is cut off, which shows that the list scrolls. */
const maxRows = 6.4;

export function AlbumChoiceList({ user, busy, mainId, isTicked, isDisabled, onChoose, onNew }: Props) {
  const [typed, setTyped] = useState('');
  const keyword = useRested(typed.trim());
  const all = useInfiniteQuery(userAlbumsQuery(user, ''));
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    userAlbumsQuery(user, keyword),
  );
  const albums = data?.pages.flatMap(({ list }) => list.filter(({ is_smart }) => !is_smart));
  const known = new Map(all.data?.pages.flatMap(({ list }) => list).map((album) => [album.id, album]));
  const list = useRef<HTMLUListElement>(null);
  const loadNearEnd = (element: HTMLElement) => {
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (left < element.clientHeight && hasNextPage && !isFetchingNextPage && !error) void fetchNextPage();
  };
  useEffect(() => {
    if (list.current) loadNearEnd(list.current);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (albums?.length === 0 && typed.trim() !== '') onNew(typed.trim());
  };
  // The height depends on the number of albums without a search, so that typing does not move the dialog.
  const rows = Math.min(maxRows, 1 + (all.data?.pages[0]?.pagination.total ?? maxRows));
  return (
    <div className={styles.choice}>
      <form noValidate onSubmit={submit}>
        <SearchField label={t('findAlbum')} value={typed} onChange={setTyped} />
      </form>
      {error && <p role="alert">{describeError(error)}</p>}
      {/* On a touch screen, the list gets the focus, because the keyboard would cover the list. */}
      <ul
        ref={list}
        className={styles.albums}
        style={{ height: `${rows * rowHeight}rem` }}
        aria-label={t('albums')}
        aria-busy={!albums}
        {...(matchMedia('(pointer: coarse)').matches && { tabIndex: -1, 'data-focus': '' })}
        onScroll={({ currentTarget }: UIEvent<HTMLElement>) => loadNearEnd(currentTarget)}
      >
        <li>
          <button className={styles.row} type="button" onClick={() => onNew(typed.trim())}>
            <span className={styles.plus}>
              <Plus size={20} aria-hidden="true" />
            </span>
            <span className={styles.name} dir="auto">
              {typed.trim() === '' ? t('newAlbum') : t('newAlbumNamed', { name: typed.trim() })}
            </span>
          </button>
        </li>
        {albums?.map((album) => (
          <AlbumChoiceRow
            key={album.id}
            album={album}
            parent={known.get(album.parent_id)}
            isMain={album.id === mainId}
            isTicked={isTicked?.(album)}
            isBusy={album.id === busy}
            isDisabled={isDisabled}
            onChoose={() => onChoose(album)}
          />
        ))}
      </ul>
    </div>
  );
}

/** Returns the text after it has not changed for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), searchDelayMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
