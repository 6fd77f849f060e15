/** Marks in the orders of lists. Kept and counted are compared in one statement, so that nothing happens between. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { countedPhotos, isOfList, type MarkedList, setMarks } from '../../gallery/library/marks.ts';
import type { Round } from './findings.ts';

export async function checkMarks({ deps: { db }, progress, report }: Round): Promise<void> {
  if (!db.hasMarks) return;
  progress.begin('marks of lists');
  const { rows: lists } = await sql<MarkedList>`SELECT DISTINCT sort, user_id, visibility FROM list_marks
    ORDER BY 1, 2, 3`.execute(db.kysely);
  for (const list of lists) {
    const wrong = await countWrong(db, list);
    if (wrong === 0) continue;
    await report({
      kind: 'total-drifted',
      subject: `list_marks of sort ${list.sort}, user_id ${list.user_id}, visibility ${list.visibility}`,
      detail: `${wrong} of its marks do not say how many photos stand before them`,
      async repair() {
        await setMarks(db, list);
        return true;
      },
    });
  }
}

/** How many marks have another number of photos before them than they say together with those before them. */
async function countWrong(db: Deps['db'], list: MarkedList): Promise<number> {
  const at = sql.ref(list.sort === 'title_key' ? 'title' : 'value');
  const { rows } = await db.withoutTimeout((kysely) =>
    sql<{ n: number }>`SELECT count(*) AS n FROM (
      SELECT is_photo, sum(is_photo) OVER upto AS counted, sum(n) OVER upto AS kept FROM (
        SELECT at, photo_id, 1 AS is_photo, 0 AS n FROM (${countedPhotos(list)}) AS photos
        UNION ALL SELECT ${at}, photo_id, 0, n FROM list_marks WHERE ${isOfList(list)}
      ) AS either WINDOW upto AS (ORDER BY at, photo_id, is_photo ROWS UNBOUNDED PRECEDING)
    ) AS compared WHERE is_photo = 0 AND counted <> kept`.execute(kysely),
  );
  return rows[0]!.n;
}
