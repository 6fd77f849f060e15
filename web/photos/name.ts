/** Returns a photo's title, or a name with the owner if the photo has no title. */
import type { PhotoItem } from '../api/types.ts';
import { t } from '../messages/messages.ts';

export function getPhotoName({ title, user }: Pick<PhotoItem, 'title' | 'user'>): string {
  return title || t('photoBy', { name: user.nickname || user.username });
}
