/**
 * Marks in the orders of lists, every ten thousand photos, with how many stand between one and the next: so a place is
 * found without counting half of a million entries (photos/list/marks.ts). On PostgreSQL alone (`hasMarks`).
 *
 * In the marks a photo counts as the first of its rows in `list_changes` says, and as its own row says where it has none
 * there. Triggers write these, once for each photo in a generation. No mark is written, and none waited
 * for, when a photo changes; `foldChanges` brings the marks along. Why it holds: docs/adr/0033-queries.md.
 */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { DatabaseUnavailable } from '../../platform/db/dialect.ts';
import { type Shown, Visibility } from '../../platform/db/states.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { everybody } from './counts.ts';

type Database = Pick<Deps['db'], 'kysely'>;

/** Columns that lists are sorted by, but for those that are counted by months, and the order of an album. */
export const markedSorts = [
  'views',
  'likes',
  'favorites',
  'downloads',
  'size',
  'update_time',
  'title_key',
] as const;
export type MarkedSort = (typeof markedSorts)[number];

/** One order of what a branch of a list holds: of everybody's photos (`everybody`), or of an owner's. */
export interface MarkedList {
  sort: MarkedSort;
  user_id: number;
  visibility: Shown;
}

export interface MarkSizes {
  /** Photos from one mark to the next, at least 2. Where twice as many have gathered, the list is marked anew. */
  spacing: number;
  /** Lists with fewer photos are counted. */
  fewest: number;
}

export const usualSizes: MarkSizes = { spacing: 10_000, fewest: 50_000 };

/** Who writes what places a photo waits as long at most, once for a generation. */
const lockTimeoutMs = 200;

/** Lets one transaction at a time change marks, until it ends. */
export async function lockMarks(transaction: Kysely<Tables>): Promise<void> {
  await sql`SELECT generation FROM list_generations FOR UPDATE`.execute(transaction);
}

/**
 * Closes the rows of `list_changes` that are there, so that they can be folded: nobody who wrote one is still under way
 * then, and whoever writes from now on says what a photo was at this moment. False where somebody was busy for longer
 * than others can be held up; then nothing has changed.
 */
export async function beginGeneration({ kysely }: Database): Promise<boolean> {
  try {
    await kysely.transaction().execute(async (transaction) => {
      await lockMarks(transaction);
      await sql`SELECT set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(transaction);
      await sql`LOCK TABLE list_changes IN SHARE MODE`.execute(transaction);
      await sql`UPDATE list_generations SET generation = generation + 1`.execute(transaction);
    });
    return true;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return false;
    throw error;
  }
}

/**
 * Lists that are large enough and have no marks, or too few: photos have gathered between two of them, or behind the
 * last. So are those with a mark by the title of a photo that has it no longer: it shall not be kept. While an album is
 * followed, totals are ahead of rows, and nothing is said. One that has shrunk is looked after as long as it has marks.
 */
export async function findUnmarked({ kysely }: Database, sizes: MarkSizes): Promise<MarkedList[]> {
  const most = 2 * sizes.spacing;
  const sorts = sql.join(markedSorts.map((sort) => sql`(${sql.lit(sort)})`));
  const { rows } = await sql<MarkedList>`SELECT sorts.sort, totals.user_id, totals.visibility
    FROM photo_totals AS totals CROSS JOIN (VALUES ${sorts}) AS sorts (sort)
      LEFT JOIN (SELECT sort, user_id, visibility, max(n) AS widest, sum(n) AS held FROM list_marks GROUP BY 1, 2, 3)
        AS marked USING (sort, user_id, visibility)
    WHERE totals.visibility > ${sql.lit(Visibility.trash)}
      AND (totals.n >= ${sizes.fewest} OR (marked.widest IS NOT NULL AND totals.n * 2 >= ${sizes.fewest}))
      AND NOT EXISTS (SELECT FROM album_moves)
      AND (marked.widest IS NULL OR marked.widest > ${most} OR totals.n - marked.held > ${most}
        OR (sorts.sort = 'title_key' AND EXISTS (SELECT FROM list_marks AS lost
          WHERE lost.sort = 'title_key' AND lost.user_id = totals.user_id AND lost.visibility = totals.visibility
            AND lost.photo_id > 0 AND NOT EXISTS (SELECT FROM photos
              WHERE photos.id = lost.photo_id AND photos.title_key = lost.title))))
    ORDER BY 1, 2, 3`.execute(kysely);
  return rows;
}

/** Sets a list's marks anew, in one transaction for which no other writer waits: a second for a million photos. */
export async function setMarks(
  db: Pick<Deps['db'], 'withoutTimeout'>,
  list: MarkedList,
  { spacing }: Pick<MarkSizes, 'spacing'> = usualSizes,
): Promise<void> {
  const { sort, user_id, visibility } = list;
  const ofList = sql`${sort}, CAST(${user_id} AS bigint), CAST(${visibility} AS integer)`;
  const isText = sort === 'title_key';
  const at = isText ? sql`0, at` : sql`at, ''`;
  await db.withoutTimeout(async (transaction) => {
    await lockMarks(transaction);
    await sql`SELECT set_config('work_mem', '64MB', true)`.execute(transaction);
    await sql`DELETE FROM list_marks WHERE ${isOfList(list)}`.execute(transaction);
    // The first one is before all photos.
    await sql`INSERT INTO list_marks (sort, user_id, visibility, value, title, photo_id, n)
      SELECT ${ofList}, -1, '', 0, 0
      UNION ALL SELECT ${ofList}, ${at}, photo_id, ${sql.lit(spacing)} FROM (
        SELECT at, photo_id, row_number() OVER (ORDER BY at, photo_id) AS place FROM (${countedPhotos(list)}) AS counted
      ) AS placed WHERE place > 1 AND place % ${sql.lit(spacing)} = 1`.execute(transaction);
  });
}

/** Forgets the marks of lists that have shrunk, or whose owners are gone. */
export async function removeMarks({ kysely }: Database, { fewest }: MarkSizes): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    await lockMarks(transaction);
    await sql`DELETE FROM list_marks WHERE NOT EXISTS (SELECT FROM photo_totals AS totals
      WHERE totals.user_id = list_marks.user_id AND totals.visibility = list_marks.visibility
        AND totals.n * 2 >= ${fewest})`.execute(transaction);
  });
}

/** A condition on `list_marks`. */
export function isOfList({ sort, user_id, visibility }: MarkedList): RawBuilder<SqlBool> {
  return sql<SqlBool>`list_marks.sort = ${sort} AND list_marks.user_id = ${user_id}
    AND list_marks.visibility = ${visibility}`;
}

/** A condition on rows of `photos` or `list_changes`, under whatever name. */
export function isInList(row: string, { user_id, visibility }: MarkedList): RawBuilder<SqlBool> {
  const isShown = sql<SqlBool>`${sql.ref(`${row}.visibility`)} = ${visibility}`;
  return user_id === everybody
    ? isShown
    : sql<SqlBool>`${isShown} AND ${sql.ref(`${row}.user_id`)} = ${user_id}`;
}

/** Where each photo stands that counts in a list's marks: `at`, of the column that it is sorted by, and `photo_id`. */
export function countedPhotos(list: MarkedList): RawBuilder<unknown> {
  const { sort } = list;
  return sql`SELECT ${sql.ref(`photos.${sort}`)} AS at, photos.id AS photo_id FROM photos
      WHERE ${isInList('photos', list)}
        AND NOT EXISTS (SELECT FROM list_changes WHERE list_changes.photo_id = photos.id)
    UNION ALL SELECT ${sql.ref(`before.${sort}`)}, before.photo_id
      FROM (SELECT DISTINCT ON (photo_id) * FROM list_changes ORDER BY photo_id, generation) AS before
      WHERE ${isInList('before', list)}`;
}
