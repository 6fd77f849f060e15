/** Accounts whose photos and albums wait to be hidden or shown: gallery/library/account-moves.ts. */
import { sql } from 'kysely';
import type { Up } from './up.ts';

export const up: Up = async (_, kysely) => {
  await sql`CREATE TABLE library_moves (
    user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE)`.execute(kysely);
  // What disabled accounts hold was shown until now; the next start begins to hide it.
  await sql`INSERT INTO library_moves (user_id) SELECT id FROM users WHERE status = 0`.execute(kysely);
};
