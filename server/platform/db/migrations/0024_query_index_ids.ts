/** On PostgreSQL, the index of what queries ask has the ids as well: SQLite's have them anyway. */
import { runAll, type Up } from './up.ts';

export const up: Up = async ({ name }, kysely) => {
  if (name === 'sqlite') return;
  await runAll(kysely, [
    'DROP INDEX photos_asked',
    `CREATE INDEX photos_asked ON photos (camera, lens, visibility, user_id, album_id, taken_time, create_time, iso,
      aperture, focal_length, size, width, height) INCLUDE (id)`,
  ]);
};
