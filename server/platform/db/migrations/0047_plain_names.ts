/**
 * Names the table with the names of cameras and lenses, and the index that queries filter by, for what they hold. The
 * index begins with the visibility, which every query asks for: a planner with statistics then takes it by itself.
 */
import { runAll, type Up } from './up.ts';

export const up: Up = async ({ name }, kysely) => {
  const isPostgres = name === 'postgres';
  await runAll(kysely, [
    'ALTER TABLE gear RENAME TO equipment_names',
    ...(isPostgres ? ['ALTER INDEX gear_pkey RENAME TO equipment_names_pkey'] : []),
    'DROP INDEX photos_asked',
    // SQLite's indexes hold the ids anyway.
    `CREATE INDEX photos_filter ON photos (visibility, camera, lens, user_id, album_id, taken_time, create_time, iso,
      aperture, focal_length, size, width, height) ${isPostgres ? 'INCLUDE (id)' : ''}`,
  ]);
};
