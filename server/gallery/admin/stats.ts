/**
 * Counts photos, users and activity of the whole gallery. Totals come from `photo_totals`, and daily figures from
 * indexes by time. The cost grows with the activity in the requested days, not with the library. The queries run
 * outside the event loop.
 */

import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Deps } from '../../deps.ts';
import { findClockJump } from '../../platform/db/observed-time.ts';
import { UserStatus, Visibility } from '../../platform/db/states.ts';
import { timeField } from '../../platform/http/schema.ts';
import { dayText, timeText } from '../../platform/http/time.ts';
import { Type } from '../../platform/schema/type.ts';
import { everyoneUserId } from '../library/counts.ts';
import { commentsOutsideTrashCount } from './content/comments.ts';

const secondsOfDay = 86_400;

export const StatsQuery = Type.Object({
  days: Type.Integer({
    minimum: 1,
    maximum: 365,
    default: 30,
    description: 'Number of days in `daily`, including today',
  }),
});

const countField = (description: string) => Type.Integer({ minimum: 0, description });

const countedKinds = ['users', 'photos', 'bytes', 'comments', 'likes'] as const;
type CountedKind = (typeof countedKinds)[number];

export const GalleryStats = Type.Object(
  {
    totals: Type.Object({
      users: countField('Number of accounts, including disabled ones'),
      disabled_users: countField('Number of disabled accounts'),
      photos: countField('Number of photos, including private ones, without the trash'),
      trashed_photos: countField('Number of photos in the trash'),
      albums: countField('Albums'),
      comments: countField('Number of comments on photos outside the trash'),
      bytes: countField('Sum of `storage_used` of all accounts'),
      open_reports: countField('Number of open reports'),
    }),
    daily: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'UTC, YYYY-MM-DD' }),
        users: countField('Sign-ups'),
        photos: countField('Uploads'),
        bytes: countField('Bytes of the originals uploaded'),
        comments: countField('Comments'),
        likes: countField('Likes on photos'),
      }),
      {
        description:
          'Oldest day first, without gaps. Permanently deleted photos and removed likes do not count',
      },
    ),
    unnamed_proxy: Type.String({
      description:
        'Address of a proxy in front of this server that `TRUST_PROXY` does not name. All clients of ' +
        'that proxy share one rate limit. Empty if the server has noticed none since its start',
      examples: [''],
    }),
    clock_jump: Type.Union(
      [
        Type.Object({
          from: timeField('Last time that the servers recorded before the jump'),
          to: timeField('Time of the clock after the jump'),
        }),
        Type.Null(),
      ],
      {
        description:
          'Jump of the clock by more than a day, or null. What falls due between the two times is deleted after ' +
          'the servers have run for a day',
      },
    ),
  },
  { title: 'Stats' },
);
export type GalleryStats = Static<typeof GalleryStats>;

export async function readGalleryStats(
  deps: Deps,
  days: number,
): Promise<Omit<GalleryStats, 'unnamed_proxy'>> {
  const today = Math.floor(deps.clock() / secondsOfDay);
  const [totals, daily, jump] = await Promise.all([
    readTotals(deps),
    readDaily(deps, today - days + 1),
    findClockJump(deps),
  ]);
  return {
    totals,
    clock_jump: jump ? { from: timeText(jump.from), to: timeText(jump.to) } : null,
    daily: Array.from({ length: days }, (_, index) => {
      const day = today - days + 1 + index;
      const figures = countedKinds.map((kind) => [kind, daily.get(`${kind} ${day}`) ?? 0]);
      return { date: dayText(day), ...(Object.fromEntries(figures) as Record<CountedKind, number>) };
    }),
  };
}

async function readTotals({ db }: Deps): Promise<GalleryStats['totals']> {
  const { rows } = await sql<GalleryStats['totals']>`SELECT
    (SELECT count(*) FROM users WHERE status IN (${sql.lit(UserStatus.disabled)}, ${sql.lit(UserStatus.enabled)})) AS users,
    (SELECT count(*) FROM users WHERE status = ${sql.lit(UserStatus.disabled)}) AS disabled_users,
    (SELECT coalesce(sum(n), 0) FROM photo_totals WHERE user_id = ${everyoneUserId} AND visibility > ${sql.lit(Visibility.trash)}) AS photos,
    (SELECT coalesce(sum(n), 0) FROM photo_totals WHERE user_id = ${everyoneUserId} AND visibility = ${sql.lit(Visibility.trash)}) AS trashed_photos,
    (SELECT count(*) FROM albums) AS albums,
    ${commentsOutsideTrashCount} AS comments,
    (SELECT coalesce(sum(used_bytes), 0) FROM users) AS bytes,
    (SELECT count(*) FROM reports WHERE status = 'open') AS open_reports`.execute(db.slow());
  return rows[0]!;
}

interface DailyFigure {
  kind: CountedKind;
  day: number;
  n: number;
}

/** Returns daily figures by `kind day`. Days without activity are missing from the map. */
async function readDaily({ db }: Deps, firstDay: number): Promise<Map<string, number>> {
  const from = firstDay * secondsOfDay;
  const { rows } = await sql<DailyFigure>`
    SELECT 'users' AS kind, create_time / 86400 AS day, count(*) AS n
      FROM users WHERE create_time >= ${from} AND status >= ${sql.lit(UserStatus.disabled)} GROUP BY 2
    UNION ALL SELECT 'photos', create_time / 86400, count(*)
      FROM images WHERE kind = 'original' AND create_time >= ${from} GROUP BY 2
    UNION ALL SELECT 'bytes', create_time / 86400, sum(size)
      FROM images WHERE kind = 'original' AND create_time >= ${from} GROUP BY 2
    UNION ALL SELECT 'comments', create_time / 86400, count(*)
      FROM comments WHERE create_time >= ${from} GROUP BY 2
    UNION ALL SELECT 'likes', create_time / 86400, count(*)
      FROM likes WHERE create_time >= ${from} GROUP BY 2`.execute(db.slow());
  return new Map(rows.map(({ kind, day, n }) => [`${kind} ${day}`, n]));
}
