/** All albums of a person, with sub-albums below their parents. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { t } from '../messages/messages.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { AlbumCard } from './card.tsx';
import { nestAlbums } from './nest-albums.ts';
import { albumsQuery } from './queries.ts';

interface Props {
  user: number;
  /** Content that is shown when the person has no albums. */
  empty: ReactNode;
}

export function AlbumCards({ user, empty }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    albumsQuery(user),
  );
  const nests = useMemo(() => data && nestAlbums(data.pages.flatMap(({ list }) => list)), [data]);
  if (error && !nests) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!nests) return <div aria-busy="true" />;
  if (nests.length === 0) return empty;
  return (
    <>
      <ul className="album-cards">
        {nests.map((one) => (
          <AlbumCard key={one.album.id} nest={one} />
        ))}
      </ul>
      {hasNextPage && (
        <p className="album-more">
          <button
            className="button quiet"
            type="button"
            aria-busy={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {t('albumsShowMore')}
          </button>
        </p>
      )}
    </>
  );
}
