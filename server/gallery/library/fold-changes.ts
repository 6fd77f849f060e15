/** Brings the marks in the orders of lists (marks.ts) along with what has changed. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { Visibility } from '../../platform/db/states.ts';
import { everybody } from './counts.ts';
import { lockMarks, markedSorts } from './marks.ts';

/**
 * Takes some rows of closed generations out of `list_changes`; returns how many. In one statement, so that it sees
 * everything as of one moment, each of their photos stops counting as such a row says, and counts as its next one says,
 * or as the photo's own row. Nobody writes rows of a closed generation, or leaves one out because there is one already.
 */
export function foldChanges({ db }: Pick<Deps, 'db'>, most: number): Promise<number> {
  return db.kysely.transaction().execute(async (transaction) => {
    await lockMarks(transaction);
    const { rows } = await sql<{ n: number }>`WITH
      taken AS (
        DELETE FROM list_changes WHERE (photo_id, generation) IN (SELECT photo_id, generation FROM list_changes
          WHERE generation < (SELECT generation FROM list_generations)
          ORDER BY generation, photo_id LIMIT ${sql.lit(most)})
        RETURNING *),
      changed AS (
        SELECT taken.photo_id, taken.user_id, taken.visibility AS was_visibility,
          coalesce(later.visibility, photos.visibility, ${trash}) AS is_visibility, ${sql.join(valuesOfChange)}
        FROM taken LEFT JOIN photos ON photos.id = taken.photo_id
          LEFT JOIN LATERAL (SELECT * FROM list_changes AS others
            WHERE others.photo_id = taken.photo_id AND others.generation > taken.generation
            ORDER BY others.generation LIMIT 1) AS later ON true),
      lists AS MATERIALIZED (SELECT DISTINCT user_id, visibility FROM list_marks),
      steps AS (
        SELECT of_sort.sort, lists.user_id, lists.visibility, sides.value, sides.title, changed.photo_id, sides.n
        FROM changed
          CROSS JOIN LATERAL (VALUES ${sql.join(sortsOfChange)}) AS of_sort (sort, was, was_title, is_now, is_title)
          CROSS JOIN LATERAL (VALUES
            (was_visibility, of_sort.was, of_sort.was_title, -1),
            (is_visibility, of_sort.is_now, of_sort.is_title, 1)) AS sides (visibility, value, title, n)
          JOIN lists ON lists.visibility = sides.visibility AND lists.user_id IN (${sql.lit(everybody)}, changed.user_id)
        WHERE (was_visibility, of_sort.was, of_sort.was_title) <> (is_visibility, of_sort.is_now, of_sort.is_title)),
      counted AS (
        SELECT next.sort, next.user_id, next.visibility, next.value, next.title, next.photo_id, sum(steps.n) AS n
        FROM steps CROSS JOIN LATERAL (SELECT * FROM list_marks AS marks
          WHERE marks.sort = steps.sort AND marks.user_id = steps.user_id AND marks.visibility = steps.visibility
            AND (marks.value, marks.title, marks.photo_id) > (steps.value, steps.title, steps.photo_id)
          ORDER BY marks.value, marks.title, marks.photo_id LIMIT 1) AS next
        GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(steps.n) <> 0),
      added AS (
        UPDATE list_marks SET n = list_marks.n + counted.n FROM counted
        WHERE (list_marks.sort, list_marks.user_id, list_marks.visibility, list_marks.value, list_marks.title,
            list_marks.photo_id)
          = (counted.sort, counted.user_id, counted.visibility, counted.value, counted.title, counted.photo_id))
      SELECT count(*) AS n FROM taken`.execute(transaction);
    return rows[0]!.n;
  });
}

const trash = sql.lit(Visibility.trash);

const was = (sort: string) => sql.ref(`was_${sort}`);
const is = (sort: string) => sql.ref(`is_${sort}`);

/** Of a photo that is gone, anything: it is in no list. */
const valuesOfChange = markedSorts.map((sort) => {
  const nothing = sort === 'title_key' ? sql`''` : sql`0`;
  const column = sql.ref(sort);
  return sql`taken.${column} AS ${was(sort)}, coalesce(later.${column}, photos.${column}, ${nothing}) AS ${is(sort)}`;
});

const sortsOfChange = markedSorts.map((sort) =>
  sort === 'title_key'
    ? sql`(${sql.lit(sort)}, 0, ${was(sort)}, 0, ${is(sort)})`
    : sql`(${sql.lit(sort)}, ${was(sort)}, '', ${is(sort)}, '')`,
);
