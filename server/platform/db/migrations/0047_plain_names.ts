/**
 * Renames the table of camera and lens names, and the index for filters, after their content. The new index begins with
 * the visibility, which every query filters by. A planner with statistics then chooses the index by itself.
 */
import { runAll, type Up } from './up.ts';

export const up: Up = async ({ name }, kysely) => {
  const isPostgres = name === 'postgres';
  await runAll(kysely, [
    'ALTER TABLE gear RENAME TO equipment_names',
    ...(isPostgres ? ['ALTER INDEX gear_pkey RENAME TO equipment_names_pkey'] : []),
    'DROP INDEX photos_asked',
    // Indexes of SQLite contain the row id anyway.
    `CREATE INDEX photos_filter ON photos (visibility, camera, lens, user_id, album_id, taken_time, create_time, iso,
      aperture, focal_length, size, width, height) ${isPostgres ? 'INCLUDE (id)' : ''}`,
  ]);
};
