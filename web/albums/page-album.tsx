/** The page of an album: its head, its sub-albums, and its photos in the owner's order. */
import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { Images, WandSparkles } from 'lucide-react';
import { useCallback, useMemo, useRef } from 'react';
import { ApiError } from '../api/client.ts';
import type { AlbumDetail } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { loadWithTexts, t } from '../messages/messages.ts';
import { createAlbumPhotoList } from '../photos/queries.ts';
import { Wall } from '../photos/wall/wall.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page, useTitle } from '../ui/page.tsx';
import { useDropHint } from '../ui/use-drop-hint.ts';
import { useLazyModule } from '../ui/use-loaded.ts';
import { openUploadFileChooser } from './add-photos-button.tsx';
import styles from './album.module.css';
import { isOwnAlbum } from './facts.ts';
import { AlbumHead } from './head.tsx';
import { AlbumNotFound } from './not-found.tsx';
import { albumQuery } from './queries.ts';

const loadArrange = loadWithTexts(() => import('../arrange/arrange.tsx'), 'arrange', 'selection');

export function AlbumPage() {
  const { albumId } = useParams({ from: '/albums/$albumId' });
  const id = Number(albumId);
  const isId = Number.isSafeInteger(id);
  const { data, error, refetch } = useQuery({ ...albumQuery(id), enabled: isId });
  if (!isId) return <AlbumNotFound />;
  if (error instanceof ApiError && [400, 403, 404].includes(error.status)) return <AlbumNotFound />;
  if (data) return <AlbumWall key={data.id} album={data} />;
  return (
    <Page title={t('album')}>
      {error && <ErrorNotice as="h1" error={error} retry={() => void refetch()} />}
    </Page>
  );
}

function AlbumWall({ album }: { album: AlbumDetail }) {
  const { id, is_smart } = album;
  const user = useUser();
  const isOwn = isOwnAlbum(album, user);
  const list = useMemo(() => createAlbumPhotoList({ id, is_smart }), [id, is_smart]);
  const getHref = useCallback((photo: number) => `/albums/${id}/photos/${photo}`, [id]);
  const [arranging, begin] = useLazyModule(loadArrange);
  const around = useRef<HTMLDivElement>(null);
  const canArrange = isOwn && !is_smart;
  const sheet = around.current?.querySelector<HTMLElement>('[data-sheet]');
  useTitle(album.name);
  return (
    <div className={styles.around} ref={around} {...(canArrange && { onPointerOver: begin, onFocus: begin })}>
      {canArrange && arranging && sheet && <arranging.ArrangeControls {...{ album, list, sheet }} />}
      <Wall
        {...{ list, getHref }}
        {...(canArrange && { album })}
        title={album.name}
        href={`/albums/${id}`}
        head={<AlbumHead album={album} isOwn={isOwn} />}
        empty={album.children.length === 0 && <EmptyAlbum id={id} isOwn={isOwn} isSmart={is_smart} />}
      >
        <Outlet />
      </Wall>
    </div>
  );
}

interface EmptyProps {
  id: number;
  isOwn: boolean;
  isSmart: boolean;
}

function EmptyAlbum({ id, isOwn, isSmart }: EmptyProps) {
  const ownText = useDropHint(t('albumEmptyOwn'));
  if (isSmart && isOwn) {
    const icon = <WandSparkles size={32} strokeWidth={1.5} />;
    return <Card title={t('albumEmptySmart')} text={t('albumEmptySmartText')} icon={icon} />;
  }
  const text = isOwn ? ownText : t('albumEmptyOther');
  return (
    <Card title={t('albumEmpty')} text={text} icon={<Images size={32} strokeWidth={1.5} />}>
      {isOwn && (
        <>
          <ButtonLink to="/albums/$albumId/add" params={{ albumId: String(id) }} state={{ isOverWall: true }}>
            {t('albumChooseOwn')}
          </ButtonLink>
          <button className="button quiet" type="button" onClick={openUploadFileChooser}>
            {t('albumUpload')}
          </button>
        </>
      )}
    </Card>
  );
}
