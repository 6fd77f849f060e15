/** Follows and their counters, what user search looks through, the order of the trash, totals of tags. */
import { sql } from 'kysely';
import { fold } from '../fold.ts';
import { Visibility } from '../states.ts';
import { runAll, type Up } from './up.ts';

export const up: Up = async (database, kysely) => {
  const statements = [
    `ALTER TABLE users ADD COLUMN nickname_key text NOT NULL DEFAULT ''`,
    `ALTER TABLE users ADD COLUMN followers bigint NOT NULL DEFAULT 0`,
    `ALTER TABLE users ADD COLUMN following bigint NOT NULL DEFAULT 0`,
    // All that a search looks at: it reads this index and no rows.
    `CREATE INDEX users_names ON users (status, id, username_key, nickname_key)`,
    `CREATE TABLE follows (
      follower_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      followee_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      create_time bigint NOT NULL,
      PRIMARY KEY (follower_id, followee_id))`,
    `CREATE INDEX follows_of_follower ON follows (follower_id, create_time, followee_id)`,
    `CREATE INDEX follows_of_followee ON follows (followee_id, create_time, follower_id)`,
    `CREATE INDEX photos_trash ON photos (user_id, delete_time, id) WHERE delete_time IS NOT NULL`,
    `CREATE TABLE tag_totals (
      user_id bigint NOT NULL, visibility integer NOT NULL,
      name_key ${database.types.sortedText} NOT NULL, name text NOT NULL, n bigint NOT NULL,
      PRIMARY KEY (user_id, visibility, name_key))`,
    `CREATE INDEX tag_totals_by_n ON tag_totals (user_id, visibility, n DESC, name_key)`,
  ];
  await runAll(kysely, statements);
  const users = await kysely.selectFrom('users').select(['id', 'nickname']).execute();
  for (const { id, nickname } of users) {
    await kysely
      .updateTable('users')
      .set({ nickname_key: fold(nickname) })
      .where('id', '=', id)
      .execute();
  }
  // Those that are there already; from now on triggers count.
  for (const user of ['0', 'user_id']) {
    await sql`INSERT INTO tag_totals (user_id, visibility, name_key, name, n)
      SELECT ${sql.raw(user)}, visibility, name_key, min(name), count(*) FROM photo_tags
      WHERE visibility > ${sql.lit(Visibility.trash)} GROUP BY 1, 2, 3`.execute(kysely);
  }
  await database.keepTagTotals(kysely);
};
