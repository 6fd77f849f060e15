/** What is told of an album, in words. */
import type { Album, AlbumDetail, CurrentUser } from '../api/types.ts';
import { t } from '../messages/messages.ts';

/** "24 photos · 3 albums"; without the photos where counting them takes too long. */
export function formatCounts({ photo_count }: Pick<Album, 'photo_count'>, inner: number): string {
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

/** Who sees it and what is in it, in one sentence for its owner. */
export function describePrivacy({ is_public, is_smart, parents }: AlbumDetail): string {
  if (is_public === 0) return t(is_smart ? 'smartIsPrivate' : 'albumIsPrivate');
  const hidden = parents.findLast((parent) => parent.is_public === 0);
  if (hidden) return t('albumIsHidden', { album: hidden.name });
  return t(is_smart ? 'smartIsPublic' : 'albumIsPublic');
}
