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
      changed AS MATERIALIZED (
        SELECT taken.photo_id, taken.user_id, taken.visibility AS was_visibility,
          coalesce(later.visibility, photos.visibility, ${trash}) AS is_visibility, ${sql.join(valuesOfChange)}
        FROM taken LEFT JOIN photos ON photos.id = taken.photo_id
          LEFT JOIN LATERAL (SELECT * FROM list_changes AS others
            WHERE others.photo_id = taken.photo_id AND others.generation > taken.generation
            ORDER BY others.generation LIMIT 1) AS later ON true),
      steps AS (${sql.join(stepsOfChange, sql` UNION ALL `)}),
      lists AS MATERIALIZED (SELECT DISTINCT user_id, visibility FROM list_marks),
      places AS (
        SELECT steps.sort, lists.user_id, lists.visibility, steps.value, steps.title, steps.photo_id, steps.n,
          false AS is_mark
        FROM steps JOIN lists ON lists.visibility = steps.visibility
          AND lists.user_id IN (${sql.lit(everybody)}, steps.user_id)
        UNION ALL SELECT sort, user_id, visibility, value, title, photo_id, 0, true FROM list_marks),
      passed AS (
        SELECT places.*, sum(n) OVER (PARTITION BY sort, user_id, visibility
          ORDER BY value, title, photo_id, is_mark DESC ROWS UNBOUNDED PRECEDING) AS upto
        FROM places),
      counted AS (
        SELECT sort, user_id, visibility, value, title, photo_id, upto - lag(upto, 1, CAST(0 AS bigint))
          OVER (PARTITION BY sort, user_id, visibility ORDER BY value, title, photo_id) AS n
        FROM passed WHERE is_mark),
      added AS (
        UPDATE list_marks SET n = list_marks.n + counted.n FROM counted
        WHERE counted.n <> 0
          AND (list_marks.sort, list_marks.user_id, list_marks.visibility, list_marks.value, list_marks.title,
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

/** Where a photo no longer stands in an order, and where it stands instead. What stands at a mark is not before it. */
const stepsOfChange = markedSorts.flatMap((sort) => {
  const step = (side: 'was' | 'is', n: number) => {
    const column = side === 'was' ? was : is;
    const place = sort === 'title_key' ? sql`0 AS value, ${column(sort)}` : sql`${column(sort)} AS value, ''`;
    return sql`SELECT ${sql.lit(sort)} AS sort, user_id, ${column('visibility')} AS visibility, ${place} AS title,
        photo_id, ${sql.lit(n)} AS n FROM changed
      WHERE (was_visibility, ${was(sort)}) <> (is_visibility, ${is(sort)})`;
  };
  return [step('was', -1), step('is', 1)];
});
