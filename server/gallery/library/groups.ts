/**
 * Maintains the number of photos per month, camera and lens, with the sum of their aspect ratios. With stored
 * counts, no page has to count a million rows. User 0 stands for all users. The counts follow the photos' rows:
 * photos of a newly hidden album count until a job has updated their rows (docs/adr/0028-the-kernel.md).
 */
import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { Visibility } from '../../platform/db/states.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import { everyoneUserId } from './counts.ts';

type GroupsDatabase = Pick<Deps['db'], 'month' | 'lock'>;

/**
 * SQL expression for a photo's aspect ratio, width by height, in thousandths. Integers add up exactly in any order.
 */
export const aspectRatioInSql = sql<number>`coalesce((CAST(photos.width AS bigint) * 1000 + photos.height / 2)
  / NULLIF(photos.height, 0), 0)`;

/** Runs `change` on some photos and moves the photos from their old groups to their new groups in `photo_groups`. */
export async function regroupPhotos<Result>(
  db: GroupsDatabase,
  transaction: Transaction,
  ids: number[],
  change: () => Promise<Result>,
): Promise<Result> {
  if (ids.length === 0) return change();
  const which = sql`${sql.join(ids)}`;
  await addToPhotoGroups(db, transaction, which, -1);
  const result = await change();
  await addToPhotoGroups(db, transaction, which, 1);
  return result;
}

/** Adds photos to their groups in `photo_groups`, or subtracts them if `sign` is -1. */
export async function addToPhotoGroups(
  db: GroupsDatabase,
  transaction: Transaction,
  ids: RawBuilder<unknown>,
  sign: 1 | -1,
): Promise<void> {
  await db.lock(transaction, 'totals');
  const grouped = selectPhotoGroupCounts(db, sql`photos.id IN (${ids})`);
  await sql`INSERT INTO photo_groups (user_id, visibility, kind, value, n, ratio)
    SELECT user_id, visibility, kind, value, ${sql.lit(sign)} * n, ${sql.lit(sign)} * ratio
    FROM (${grouped}) AS counted WHERE true ORDER BY user_id, visibility, kind, value
    ON CONFLICT (user_id, visibility, kind, value) DO UPDATE
      SET n = photo_groups.n + excluded.n, ratio = photo_groups.ratio + excluded.ratio`.execute(transaction);
}

/**
 * Returns a query that counts the photos outside the trash by owner, visibility and group. Over all photos, the
 * query returns the content of `photo_groups`.
 */
export function selectPhotoGroupCounts(
  { month }: Pick<GroupsDatabase, 'month'>,
  where: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  const kinds = {
    taken: month('photos.taken_time'),
    added: month('photos.create_time'),
    camera: sql`photos.camera`,
    lens: sql`photos.lens`,
  };
  const users = [sql`CAST(${sql.lit(everyoneUserId)} AS bigint)`, sql`photos.user_id`];
  const parts = users.flatMap((user) =>
    Object.entries(kinds).map(
      ([kind, value]) => sql`SELECT ${user} AS user_id, photos.visibility, ${sql.lit(kind)} AS kind,
          ${value} AS value, count(*) AS n, sum(${aspectRatioInSql}) AS ratio
        FROM photos WHERE photos.visibility > ${sql.lit(Visibility.trash)} AND ${where} AND ${value} <> ''
        GROUP BY 1, 2, 4`,
    ),
  );
  return sql`${sql.join(parts, sql` UNION ALL `)}`;
}
