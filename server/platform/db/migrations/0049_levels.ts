/**
 * Renames the flag `is_public` of photos and albums to `level`: 0 private, 1 public. From now on, 2 stands for members.
 * Drops the stored photo counts of albums, because a count reads one index range of the album.
 */
import { runAll, type Up } from './up.ts';

const counts = ['photo_count', 'public_count'];

export const up: Up = async (_, kysely) => {
  await runAll(kysely, [
    'ALTER TABLE photos RENAME COLUMN is_public TO level',
    'ALTER TABLE albums RENAME COLUMN is_public TO level',
    ...counts.flatMap((count) => [
      `DROP INDEX albums_by_${count}`,
      `DROP INDEX albums_of_user_by_${count}`,
      `ALTER TABLE albums DROP COLUMN ${count}`,
    ]),
  ]);
};
