/** Presents the signed-in user with private fields and the statistics of the account. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { UserRow } from '../../platform/db/tables.ts';
import { type AvatarSigner, presentAccount, toQuotaMegabytes } from '../identity/present.ts';
import type { Viewer } from '../identity/viewer.ts';
import { visibleToViewerCondition } from '../library/visibility-sql.ts';

export interface UserStats {
  photos: number;
  albums: number;
  favorites: number;
  likes: number;
  /** Number of unread notifications. */
  unread: number;
  /** Number of open reports, at most `maxCountedReports`; 0 for other users than admins. */
  open_reports: number;
}

const maxCountedReports = 100;

export function presentCurrentUser(
  user: UserRow,
  { unread, open_reports, ...stats }: UserStats,
  signer: AvatarSigner | undefined,
) {
  return {
    ...presentAccount(user, signer),
    bio: user.bio,
    gender: user.gender,
    birthday: user.birthday,
    mobile: user.mobile,
    status: user.status,
    is_admin: user.is_admin === 1,
    has_password: user.password_hash !== '',
    email_confirmed: user.email_confirmed === 1,
    storage_used: user.used_bytes,
    quota_mb: toQuotaMegabytes(user),
    unread,
    open_reports,
    stats,
  };
}

/** Returns the statistics of the viewer's own account. */
export async function userStats({ db }: Deps, { id, isAdmin }: Viewer): Promise<UserStats> {
  const trash = sql.lit(Visibility.trash);
  const { rows } = await sql<UserStats>`
    SELECT
      (SELECT coalesce(sum(n), 0) FROM photo_totals WHERE user_id = ${id} AND visibility > ${trash}) AS photos,
      (SELECT count(*) FROM albums WHERE user_id = ${id}) AS albums,
      (SELECT count(*) FROM favorites JOIN photos ON photos.id = favorites.photo_id
        WHERE favorites.user_id = ${id}
          AND ${visibleToViewerCondition({ id, isAdmin: 0 })}) AS favorites,
      (SELECT coalesce(sum(likes), 0) FROM photo_counts
        WHERE user_id = ${id} AND visibility > ${trash} AND likes > 0) AS likes,
      (SELECT count(*) FROM notifications WHERE user_id = ${id} AND is_read = 0) AS unread,
      (SELECT count(*) FROM (SELECT 1 FROM reports WHERE status = 'open'
        LIMIT ${sql.lit(isAdmin ? maxCountedReports : 0)}) AS counted) AS open_reports
  `.execute(db.slow());
  return rows[0]!;
}
