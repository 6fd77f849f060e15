/** Drops the position marks of lists, which only PostgreSQL has. A photo's position in a list is now counted. */
import { runAll, type Up } from './up.ts';

export const up: Up = async ({ name }, kysely) => {
  if (name === 'sqlite') return;
  await runAll(kysely, [
    'DROP TRIGGER photos_list_came ON photos',
    'DROP TRIGGER photos_list_changed ON photos',
    'DROP TRIGGER photos_list_went ON photos',
    'DROP FUNCTION list_changes_came()',
    'DROP FUNCTION list_changes_changed()',
    'DROP TABLE list_changes, list_marks, list_generations',
  ]);
};
