/** Counts of photos by month, camera and lens, kept by gallery/library/groups.ts; lenses among the names of gear. */
import { sql } from 'kysely';
import { fold } from '../fold.ts';
import { runAll, type Up } from './up.ts';

export const up: Up = async (database, kysely) => {
  await runAll(kysely, [
    `CREATE TABLE photo_groups (
      user_id bigint NOT NULL, visibility integer NOT NULL,
      kind text NOT NULL, value text NOT NULL,
      n bigint NOT NULL, ratio bigint NOT NULL,
      PRIMARY KEY (user_id, visibility, kind, value))`,
  ]);
  const ratio = sql`coalesce((CAST(width AS bigint) * 1000 + height / 2) / NULLIF(height, 0), 0)`;
  const kinds = [
    { kind: 'taken', value: database.month('photos.taken_time') },
    { kind: 'added', value: database.month('photos.create_time') },
    { kind: 'camera', value: sql`camera` },
    { kind: 'lens', value: sql`lens` },
  ];
  for (const user of [sql`CAST(0 AS bigint)`, sql`user_id`]) {
    for (const { kind, value } of kinds) {
      await sql`INSERT INTO photo_groups (user_id, visibility, kind, value, n, ratio)
        SELECT ${user}, visibility, ${sql.lit(kind)}, ${value}, count(*), sum(${ratio}) FROM photos
        WHERE visibility > 0 AND ${value} <> '' GROUP BY 1, 2, 4`.execute(kysely);
    }
  }
  const { rows } = await sql<{ name: string }>`SELECT DISTINCT lens AS name FROM photos
    WHERE lens <> '' AND lens NOT IN (SELECT name FROM gear)`.execute(kysely);
  for (const { name } of rows) {
    await sql`INSERT INTO gear (name, name_key) VALUES (${name}, ${fold(name)})`.execute(kysely);
  }
};
