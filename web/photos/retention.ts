/** How long photos stay in the trash. */
import type { PhotoItem } from '../api/types.ts';
import { t } from '../messages/messages.ts';

const retentionDays = 30;
const dayMs = 86_400_000;

/** Returns how long a photo stays in the trash. API times are UTC. */
export function describeRetention(photo: PhotoItem): string {
  const { delete_time } = photo as PhotoItem & { delete_time: string };
  const deleted = Date.parse(`${delete_time.replace(' ', 'T')}Z`);
  const left = Math.ceil((deleted + retentionDays * dayMs - Date.now()) / dayMs);
  return t('trashDaysLeft', { count: Math.min(retentionDays, Math.max(0, left)) });
}
