/** What changes a hundred thousand photos at once, and walks past as many: tag totals, an index for feeds. */
import { sql } from 'kysely';
import type { Up } from './up.ts';

export const up: Up = async (database, kysely) => {
  await database.keepTagMoves(kysely);
  // With the owner in it, a feed's way through everybody's photos looks at no rows.
  await sql`DROP INDEX photos_by_create_time`.execute(kysely);
  await sql`CREATE INDEX photos_by_create_time ON photos (visibility, create_time, id, user_id)`.execute(
    kysely,
  );
};
