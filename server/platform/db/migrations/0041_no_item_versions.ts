/** Drops the versions of list items, because the server no longer caches list items. */
import { runAll, type Up } from './up.ts';

export const up: Up = async ({ name }, kysely) => {
  for (const table of ['photos', 'users']) {
    const on = name === 'postgres' ? ` ON ${table}` : '';
    await runAll(kysely, [
      `DROP TRIGGER ${table}_item_changed${on}`,
      `DROP TRIGGER ${table}_item_came${on}`,
      `ALTER TABLE ${table} DROP COLUMN item_version`,
    ]);
  }
  if (name === 'postgres') await runAll(kysely, ['DROP FUNCTION item_changed()']);
};
