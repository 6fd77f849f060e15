/** Finds a photo by its owner and the checksum of its original: what an import asks before it stores anything. */
import { sql } from 'kysely';
import type { Up } from './up.ts';

export const up: Up = async (_, kysely) => {
  // A quarter of the checksum tells photos apart as well, in a quarter of the room
  // (gallery/photos/upload/same-original.ts).
  await sql`CREATE INDEX photos_of_user_by_sha256 ON photos (user_id, substr(sha256, 1, 16))`.execute(kysely);
};
