/** Albums whose photos wait to be hidden or shown by `gallery/library/album-photos.ts`. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_, kysely) =>
  runAll(kysely, [
    `CREATE TABLE album_moves (
      album_id bigint PRIMARY KEY REFERENCES albums (id) ON DELETE CASCADE,
      ahead bigint NOT NULL, after bigint NOT NULL)`,
  ]);
