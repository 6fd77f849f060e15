/** Describes who can see a photo. */
import type { CurrentUser, Photo } from '../api/types.ts';
import { t } from '../messages/messages.ts';
import { describeNarrowing, useLevelLabel } from './levels.ts';

/** Returns one sentence about who can see the photo, with the album if the album narrows the photo's level. */
export function useAudienceText(photo: Photo, user: CurrentUser | null | undefined): string {
  const { visibility, effective_visibility, album } = photo;
  const getLabel = useLevelLabel();
  const isMine = user?.id === photo.user.id;
  if (effective_visibility === 'private' && !isMine) {
    return t('seenByOwner', { owner: photo.user.nickname || photo.user.username });
  }
  const narrowing = album && describeNarrowing(visibility, { ...album, effective_visibility });
  if (narrowing) return narrowing;
  return effective_visibility === 'private' ? t('seenByMe') : getLabel(effective_visibility);
}
