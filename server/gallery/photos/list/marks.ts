/** A place in a list without filters, by the marks in its order (library/marks.ts): exact, as of one moment. */
import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { everybody } from '../../library/counts.ts';
import { isInList, isOfList, type MarkedList, type MarkedSort, markedSorts } from '../../library/marks.ts';
import type { Anchor, Branch, ListFilter } from './filter.ts';
import { keptGroups } from './kept.ts';

/** Each takes a look at a photo's row, some 5 µs: where more wait, the place is counted as if there were no marks. */
const mostChanges = 2500;

/**
 * How many of a branch's photos stand before this place: what stands before the last mark up to there, as it was
 * counted; what photos have changed since then; and the entries of the index from there to the place. Undefined where
 * the list has no marks, or too much has changed.
 */
export async function countByMarks(
  { db }: Pick<Deps, 'db'>,
  { column, order }: Pick<ListFilter, 'column' | 'order'>,
  branch: Branch,
  place: Omit<Anchor, 'side'>,
): Promise<number | undefined> {
  if (!db.hasMarks || !isMarked(column)) return undefined;
  const { visibility, userId = everybody } = branch;
  // Lists hold nothing of the trash.
  const list = { sort: column, user_id: userId, visibility: visibility as MarkedList['visibility'] };
  const isText = column === 'title_key';
  const value = isText ? sql`CAST(${place.value} AS text)` : sql`CAST(${place.value} AS bigint)`;
  const position = isText ? sql`0, ${value}, ${place.id}` : sql`${value}, '', ${place.id}`;
  const at = sql.ref(isText ? 'title' : 'value');
  const isUpTo = sql.raw(order === 'desc' ? '<=' : '<');
  const isBeforeMark = (row: string, id: string) => sql`coalesce(${isInList(row, list)}
    AND (${sql.ref(`${row}.${column}`)}, ${sql.ref(id)}) < (mark.${at}, mark.photo_id), false)`;
  const { rows } = await sql<{ n: number | null; total: number | null }>`WITH
      mark AS MATERIALIZED (SELECT value, title, photo_id FROM list_marks
        WHERE ${isOfList(list)} AND (value, title, photo_id) <= (${position})
        ORDER BY value DESC, title DESC, photo_id DESC LIMIT 1),
      before AS MATERIALIZED (SELECT DISTINCT ON (photo_id) photo_id, user_id, visibility, ${sql.ref(column)}
        FROM list_changes ORDER BY photo_id, generation LIMIT ${sql.lit(mostChanges + 1)})
    SELECT CASE WHEN EXISTS (SELECT FROM mark) AND (SELECT count(*) FROM before) <= ${sql.lit(mostChanges)} THEN
        (SELECT sum(n) FROM list_marks
          WHERE ${isOfList(list)} AND (value, title, photo_id) <= (SELECT value, title, photo_id FROM mark))
        + (SELECT coalesce(sum(CAST(${isBeforeMark('photos', 'before.photo_id')} AS integer)
            - CAST(${isBeforeMark('before', 'before.photo_id')} AS integer)), 0)
          FROM mark CROSS JOIN before LEFT JOIN LATERAL (SELECT user_id, visibility, ${sql.ref(column)} FROM photos
            WHERE photos.id = before.photo_id OFFSET 0) AS photos ON true)
        + (SELECT count(*) FROM photos WHERE ${isInList('photos', list)}
          AND (${sql.ref(`photos.${column}`)}, photos.id) >= (SELECT ${at}, photo_id FROM mark)
          AND (${sql.ref(`photos.${column}`)}, photos.id) ${isUpTo} (${value}, ${place.id}))
      END AS n,
      (SELECT sum(n) FROM photo_groups WHERE ${keptGroups([branch], 'added')}) AS total`.execute(db.bounded);
  const { n, total } = rows[0]!;
  if (n === null) return undefined;
  return order === 'desc' ? (total ?? 0) - n : n;
}

function isMarked(column: string): column is MarkedSort {
  return (markedSorts as readonly string[]).includes(column);
}
