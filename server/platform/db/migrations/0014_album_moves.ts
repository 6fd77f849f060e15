/** Albums whose photos wait to be hidden or shown: gallery/library/album-moves.ts. */
import { sql } from 'kysely';
import type { Up } from './up.ts';

export const up: Up = async (_, kysely) => {
  await sql`CREATE TABLE album_moves (
    album_id bigint PRIMARY KEY REFERENCES albums (id) ON DELETE CASCADE,
    ahead bigint NOT NULL, after bigint NOT NULL)`.execute(kysely);
};
