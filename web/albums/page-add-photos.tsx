/** The page that chooses photos of the user's library for an album. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { Images } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { ApiError } from '../api/client.ts';
import type { AlbumDetail, CurrentUser, PhotoItem } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { SignInRequired } from '../auth/sign-in-required.tsx';
import { t } from '../messages/messages.ts';
import { createAlbumPhotoList, createGalleryPhotoList, refreshPhotoList } from '../photos/queries.ts';
import { Wall } from '../photos/wall/wall.tsx';
import { createAdditionToAlbum } from '../selection/albums/add.ts';
import { performAlbumChange } from '../selection/albums/change.ts';
import { albumPhotoIdsQuery } from '../selection/albums/queries.ts';
import { Card } from '../ui/card.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page, useTitle } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { WallHead } from '../ui/wall-head.tsx';
import styles from './add-photos.module.css';
import { isOwnAlbum } from './facts.ts';
import { AlbumNotFound } from './not-found.tsx';
import { albumQuery } from './queries.ts';

/** Milliseconds after the last key press until the search starts. */
const searchDelayMs = 400;
const noHref = () => '';

export function AddPhotosPage() {
  const { albumId } = useParams({ from: '/albums/$albumId/add' });
  const user = useUser();
  const { data: album, error, refetch } = useQuery(albumQuery(Number(albumId)));
  if (!user) return <SignInRequired title={t('albumAddPhotos')} />;
  const isRefused = error instanceof ApiError && [400, 403, 404].includes(error.status);
  if (isRefused || (album && (album.is_smart || !isOwnAlbum(album, user)))) return <AlbumNotFound />;
  if (album) return <PhotoPicker album={album} user={user} />;
  return (
    <Page title={t('albumAddPhotos')}>
      {error && <ErrorNotice as="h1" error={error} retry={() => void refetch()} />}
    </Page>
  );
}

function PhotoPicker({ album, user }: { album: AlbumDetail; user: CurrentUser }) {
  const { id } = album;
  const [typed, setTyped] = useState('');
  const [q, setQuery] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.trim()), searchDelayMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const list = useMemo(
    () => createGalleryPhotoList({ user_id: user.id, ...(q !== '' && { q }) }),
    [user.id, q],
  );
  const { data: members } = useQuery(albumPhotoIdsQuery(id));
  const taken = useMemo(() => members ?? new Set<number>(), [members]);
  const getNote = useCallback((photo: PhotoItem) => (taken.has(photo.id) ? t('albumHasPhoto') : ''), [taken]);
  const { perform, isBusy, leave } = useAddition(album);
  const title = t('albumAddPhotosTo', { album: album.name });
  useTitle(title);
  return (
    <Wall
      {...{ list, title, getNote }}
      href={`/albums/${id}/add`}
      getHref={noHref}
      picker={{ taken, getLabel: (count) => t('albumAddCount', { count }), perform, isBusy }}
      head={
        <WallHead title={title}>
          <div className={styles.find}>
            <SearchField label={t('searchOwnPhotos')} maxLength={500} value={typed} onChange={setTyped} />
            <button className="button quiet" type="button" onClick={leave}>
              {t('cancel')}
            </button>
          </div>
        </WallHead>
      }
      empty={
        <Card
          title={t(q === '' ? 'noPhotos' : 'albumNoPhotosFound')}
          text={t(q === '' ? 'albumUploadFirst' : 'albumNoPhotosFoundText')}
          icon={<Images size={32} strokeWidth={1.5} />}
        />
      }
    />
  );
}

/** Returns functions that add photos to the album and return to its page. */
function useAddition(album: AlbumDetail) {
  const client = useQueryClient();
  const { history } = useRouter();
  const [isBusy, setBusy] = useState(false);
  const leave = () => {
    if (history.location.state.isOverWall) history.back();
    else history.replace(`/albums/${album.id}`);
  };
  const perform = async (photos: PhotoItem[]) => {
    setBusy(true);
    const reload = () => refreshPhotoList(client, createAlbumPhotoList(album));
    const isDone = await performAlbumChange(createAdditionToAlbum(client, album, photos), reload);
    setBusy(false);
    if (isDone) leave();
  };
  return { perform: (photos: PhotoItem[]) => void perform(photos), isBusy, leave };
}
