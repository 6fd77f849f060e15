/**
 * Merges three tables into one table of jobs that follow a change of visibility. From now on, public photos of a hidden
 * album count as private before their rows change (`gallery/library/counts.ts`). Photos of disabled accounts counted
 * that way already.
 */
import { sql } from 'kysely';
import { Visibility } from '../states.ts';
import { runAll, type Up } from './up.ts';

export const up: Up = async (_, kysely) => {
  await runAll(kysely, [
    `CREATE TABLE visibility_jobs (
      kind text NOT NULL, id bigint NOT NULL,
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      PRIMARY KEY (kind, id))`,
    `INSERT INTO visibility_jobs (kind, id, user_id) SELECT 'account', user_id, user_id FROM library_moves`,
    `INSERT INTO visibility_jobs (kind, id, user_id) SELECT 'album', albums.id, albums.user_id
      FROM album_moves JOIN albums ON albums.id = album_moves.album_id`,
    `INSERT INTO visibility_jobs (kind, id, user_id) SELECT 'photo', photos.id, photos.user_id
      FROM search_moves JOIN photos ON photos.id = search_moves.photo_id`,
    `DROP TABLE library_moves`,
    `DROP TABLE album_moves`,
    `DROP TABLE search_moves`,
  ]);
  const hidden = sql`albums.visibility = ${sql.lit(Visibility.private)} AND public_count <> 0`;
  for (const user of [sql`user_id`, sql`CAST(0 AS bigint)`]) {
    for (const [visibility, sign] of [
      [Visibility.public, -1],
      [Visibility.private, 1],
    ] as const) {
      await sql`INSERT INTO photo_totals (user_id, visibility, n)
        SELECT ${user}, ${sql.lit(visibility)}, ${sql.lit(sign)} * sum(public_count) FROM albums
        WHERE ${hidden} GROUP BY 1
        ON CONFLICT (user_id, visibility) DO UPDATE SET n = photo_totals.n + excluded.n`.execute(kysely);
    }
  }
  await sql`UPDATE albums SET public_count = 0 WHERE ${hidden}`.execute(kysely);
};
