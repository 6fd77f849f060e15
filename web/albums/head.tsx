/**
 * The head of an album page, above the photos. The server renders the same head
 * (gallery/pages/album-head.ts).
 */
import { Link } from '@tanstack/react-router';
import { Download, Share2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { AlbumDetail } from '../api/types.ts';
import { loadWithTexts, t } from '../messages/messages.ts';
import { ShareDialog } from '../shares/share.tsx';
import { useMedia } from '../ui/use-media.ts';
import { VisibilityMark } from '../visibility/mark.tsx';
import { AddPhotosButton } from './add-photos-button.tsx';
import { AlbumCard } from './card.tsx';
import { describePrivacy, formatAlbumCounts } from './facts.ts';
import './head.css';

const AlbumMenu = lazy(
  loadWithTexts(
    () => import('./album-menu.tsx').then(({ AlbumMenu: part }) => ({ default: part })),
    'visibility',
  ),
);
/** Smart albums are rare, so the script for a rule is loaded on demand. */
const SmartRule = lazy(
  loadWithTexts(() => import('./rule.tsx').then(({ SmartAlbumRule: part }) => ({ default: part })), 'search'),
);

interface Props {
  album: AlbumDetail;
  isOwn: boolean;
}

export function AlbumHead({ album, isOwn }: Props) {
  const { name, cover, description, children, rule } = album;
  const canDrag = useMedia('(any-pointer: fine) and (min-width: 701px)');
  return (
    <>
      <header className="album-head" data-cover={cover === '' ? undefined : ''}>
        <AlbumPath album={album} isOwn={isOwn} />
        {cover !== '' && <img className="album-cover" src={cover} alt="" />}
        <div className="album-text">
          <h1 dir="auto">{name}</h1>
          {description !== '' && (
            <p className="album-description" dir="auto">
              {description}
            </p>
          )}
          <p className="album-facts">
            {formatAlbumCounts(album, children.length)}
            {canDrag && isOwn && rule === null && (album.photo_count ?? 0) > 1 && ` · ${t('albumDragHint')}`}
            {!isOwn && <AlbumAuthor album={album} />}
          </p>
          {isOwn && (
            <p className="album-privacy">
              <VisibilityMark level={album.effective_visibility} />
              <span>{describePrivacy(album)}</span>
            </p>
          )}
          <div className="album-actions">
            {isOwn && rule === null && <AddPhotosButton album={album.id} />}
            {(album.photo_count !== 0 || children.length > 0) && (
              <a
                className="button quiet"
                href={`/api/albums/${album.id}/download`}
                aria-label={t('albumDownloadZip')}
                title={t('albumDownloadZip')}
                download
              >
                <Download size={18} aria-hidden="true" />
                <span>{t('albumDownloadZip')}</span>
              </a>
            )}
            {(isOwn || album.effective_visibility === 'public') && (
              <ShareAlbumButton album={album} isOwn={isOwn} />
            )}
            {isOwn && (
              <Suspense>
                <AlbumMenu album={album} />
              </Suspense>
            )}
          </div>
          {rule !== null && (
            <div className="album-rule">
              <Suspense>
                <SmartRule rule={rule} owner={album.user.username} />
              </Suspense>
            </div>
          )}
        </div>
      </header>
      {children.length > 0 && (
        <ul className="album-cards album-children" aria-label={t('albumsInAlbum', { album: name })}>
          {children.map((one) => (
            <AlbumCard key={one.id} nest={{ album: one, inner: [] }} />
          ))}
        </ul>
      )}
    </>
  );
}

function ShareAlbumButton({ album: { id, name, effective_visibility: level }, isOwn }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        className="button quiet"
        type="button"
        aria-label={t('share')}
        title={t('share')}
        onClick={() => setOpen(true)}
      >
        <Share2 size={18} aria-hidden="true" />
        <span>{t('share')}</span>
      </button>
      {isOpen && (
        <ShareDialog
          kind="album"
          name={name}
          path={level === 'public' ? `/albums/${id}` : undefined}
          target={isOwn ? { type: 'album', id, level } : undefined}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function AlbumPath({ album: { parents, user }, isOwn }: Props) {
  return (
    <nav className="album-path" aria-label={t('albumPath')}>
      <ol>
        <li>
          {isOwn ? (
            <Link to="/albums">{t('albums')}</Link>
          ) : (
            <Link to="/users/$name/albums" params={{ name: user.username }}>
              {t('albums')}
            </Link>
          )}
        </li>
        {parents.map(({ id, name }) => (
          <li key={id}>
            <Link to="/albums/$albumId" params={{ albumId: String(id) }} dir="auto">
              {name}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function AlbumAuthor({ album: { user } }: { album: AlbumDetail }) {
  if (user.username === '') return null;
  return (
    <Link to="/users/$name" params={{ name: user.username }} dir="auto">
      {user.nickname || user.username}
    </Link>
  );
}
