/** Sentences about an album: its counts and its visibility. */
import type { Album, AlbumDetail, CurrentUser } from '../api/types.ts';
import { t } from '../messages/messages.ts';

/** "24 photos · 3 albums". The number of photos is left out when counting them takes too long. */
export function formatAlbumCounts({ photo_count }: Pick<Album, 'photo_count'>, inner: number): string {
  return [
    photo_count !== null && t('photosFound', { count: photo_count }),
    inner > 0 && t('albumsCount', { count: inner }),
  ]
    .filter(Boolean)
    .join(' · ');
}

export function isOwnAlbum(album: Pick<Album, 'user'>, user: CurrentUser | null | undefined): boolean {
  return album.user.id === user?.id;
}

/** Returns one sentence for the album's owner: who can see the album, and what the album contains. */
export function describePrivacy(album: AlbumDetail): string {
  const { visibility, effective_visibility: level, is_smart, parents } = album;
  const above = level === visibility ? undefined : parents.findLast((parent) => parent.visibility === level);
  if (above)
    return t(level === 'members' ? 'albumNarrowedToMembers' : 'albumIsHidden', { album: above.name });
  if (level === 'private') return t(is_smart ? 'smartIsPrivate' : 'albumIsPrivate');
  if (is_smart) return t(level === 'members' ? 'smartIsForMembers' : 'smartIsPublic');
  return t(level === 'members' ? 'albumIsForMembers' : 'albumIsPublic');
}
