/** What a photo is called: by its title, else by who made it. */
import type { PhotoItem } from '../api/types.ts';
import { t } from '../messages/messages.ts';

export function getPhotoName({ title, user }: Pick<PhotoItem, 'title' | 'user'>): string {
  return title || t('photoBy', { name: user.nickname || user.username });
}
