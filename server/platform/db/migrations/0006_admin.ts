/** What admins work with: the audit log, how reports were handled, and indexes for their lists and statistics. */
import { type Kysely, sql } from 'kysely';
import { fold } from '../fold.ts';
import type { Tables } from '../tables.ts';
import { runAll, type Up } from './up.ts';

const commentsAtOnce = 300;

export const up: Up = async (database, kysely) => {
  const statements = [
    `CREATE TABLE audit_log (
      id ${database.types.id},
      actor_id bigint, actor text NOT NULL, actor_key text NOT NULL,
      action text NOT NULL,
      target_type text NOT NULL, target_id bigint NOT NULL, target text NOT NULL,
      details text NOT NULL,
      create_time bigint NOT NULL)`,
    `CREATE INDEX audit_log_by_time ON audit_log (create_time, id)`,
    `CREATE INDEX audit_log_by_actor ON audit_log (actor_key, create_time, id)`,
    `CREATE INDEX audit_log_by_action ON audit_log (action, create_time, id)`,

    `ALTER TABLE reports ADD COLUMN action text NOT NULL DEFAULT ''`,
    `ALTER TABLE reports ADD COLUMN note text NOT NULL DEFAULT ''`,
    `ALTER TABLE reports ADD COLUMN handler text NOT NULL DEFAULT ''`,
    `ALTER TABLE reports ADD COLUMN handled_time bigint`,
    `CREATE INDEX reports_open_by_target ON reports (target_type, target_id, user_id) WHERE status = 'open'`,
    `CREATE INDEX reports_user ON reports (user_id)`,

    `ALTER TABLE comments ADD COLUMN search_text text NOT NULL DEFAULT ''`,

    `CREATE INDEX users_admins ON users (id) WHERE is_admin = 1`,
    `CREATE INDEX users_leaving ON users (id) WHERE status = -1`,
    `CREATE INDEX users_by_used_bytes ON users (used_bytes, id)`,

    // What is new on a day is counted in these, as far back as is asked for.
    `CREATE INDEX users_by_create_time ON users (create_time, status)`,
    `CREATE INDEX comments_by_create_time ON comments (create_time)`,
    `CREATE INDEX likes_by_create_time ON likes (create_time)`,
    `CREATE INDEX images_originals ON images (create_time, size) WHERE kind = 'original'`,
    // All comments are as many as the photos that have some say.
    `CREATE INDEX photos_by_comments ON photos (visibility, comments) WHERE comments > 0`,
  ];
  await runAll(kysely, statements);
  await database.keepUnchanged(kysely, 'audit_log');
  await foldComments(kysely);
};

async function foldComments(kysely: Kysely<Tables>): Promise<void> {
  for (let after = 0; ; ) {
    const comments = await kysely
      .selectFrom('comments')
      .select(['id', 'content'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(commentsAtOnce)
      .execute();
    if (comments.length === 0) return;
    const rows = comments.map(({ id, content }) => sql`(CAST(${id} AS bigint), ${fold(content)})`);
    await sql`UPDATE comments SET search_text = folded.column2
      FROM (VALUES ${sql.join(rows)}) AS folded WHERE comments.id = folded.column1`.execute(kysely);
    after = comments.at(-1)!.id;
  }
}
