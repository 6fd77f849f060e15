/** A link to an album, shown as one picture with the album's name. */
import { Link } from '@tanstack/react-router';
import { WandSparkles } from 'lucide-react';
import type { Album } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { VisibilityMark } from '../visibility/mark.tsx';
import './cards.css';
import { formatAlbumCounts } from './facts.ts';
import type { NestedAlbum } from './nest-albums.ts';

/** Number of sub-albums that a card names. */
const maxInnerNames = 3;

interface Props {
  nest: NestedAlbum;
  /** Whether the card has the name of the album's owner. */
  hasOwner?: boolean;
}

export function AlbumCard({ nest: { album, inner }, hasOwner }: Props) {
  const shown = inner.slice(0, maxInnerNames);
  const direct = inner.filter(({ level }) => level === 1).length;
  return (
    <li className="album-card" data-album={album.id}>
      <Link to="/albums/$albumId" params={{ albumId: String(album.id) }}>
        <span className="album-card-cover">{album.cover && <img src={album.cover} alt="" />}</span>
        <span className="album-card-name" dir="auto">
          {album.name}
        </span>
        <span className="album-card-facts">
          <AlbumMarks album={album} />
          {hasOwner && <bdi>{album.user.nickname || album.user.username}</bdi>}
          {formatAlbumCounts(album, direct)}
        </span>
      </Link>
      {shown.length > 0 && (
        <ul className="album-card-inner" aria-label={t('albumsInAlbum', { album: album.name })}>
          {shown.map(({ album: one, level }) => (
            <li key={one.id} data-level={level}>
              <Link to="/albums/$albumId" params={{ albumId: String(one.id) }}>
                <span className="album-card-cover">{one.cover && <img src={one.cover} alt="" />}</span>
                <span dir="auto">{one.name}</span>
                <AlbumMarks album={one} />
              </Link>
            </li>
          ))}
          {inner.length > shown.length && (
            <li>
              <Link to="/albums/$albumId" params={{ albumId: String(album.id) }}>
                {t('albumsMore', { count: inner.length - shown.length })}
              </Link>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

function AlbumMarks({ album: { effective_visibility, is_smart } }: { album: Album }) {
  return (
    <>
      {is_smart && (
        <span className="album-sign" title={t('albumSmart')}>
          <WandSparkles size={14} aria-hidden="true" />
          <span className="unseen">{t('albumSmart')}</span>
        </span>
      )}
      <VisibilityMark level={effective_visibility} className="album-sign" />
    </>
  );
}
