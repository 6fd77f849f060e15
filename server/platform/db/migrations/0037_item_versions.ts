/**
 * A photo and an account count the changes of what a list shows of them, whoever makes these, the counters of a photo
 * left out: what gallery/photos/list/items.ts keeps of an item is shown as long as both numbers are the same.
 */
import { runAll, type Up } from './up.ts';

/** What an item shows, by its table. */
export const shown = {
  photos: [
    ...['user_id', 'title', 'image_key', 'preview_extension', 'placeholder', 'width', 'height', 'is_public'],
    ...['create_time', 'update_time', 'taken_time'],
  ],
  users: ['username', 'nickname', 'avatar'],
};

export const up: Up = async ({ name }, kysely) => {
  if (name === 'postgres') {
    await runAll(kysely, [
      `CREATE FUNCTION item_changed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.item_version := OLD.item_version + 1; RETURN NEW; END $$`,
    ]);
  }
  for (const [table, columns] of Object.entries(shown)) {
    const of = (row: string) => columns.map((column) => `${row}.${column}`).join(', ');
    const updated = `UPDATE OF ${columns.join(', ')} ON ${table} FOR EACH ROW`;
    await runAll(kysely, [
      `ALTER TABLE ${table} ADD COLUMN item_version bigint NOT NULL DEFAULT 0`,
      name === 'postgres'
        ? `CREATE TRIGGER ${table}_item_changed BEFORE ${updated}
            WHEN ((${of('OLD')}) IS DISTINCT FROM (${of('NEW')})) EXECUTE FUNCTION item_changed()`
        : `CREATE TRIGGER ${table}_item_changed AFTER ${updated}
            WHEN (${of('OLD')}) IS NOT (${of('NEW')})
            BEGIN UPDATE ${table} SET item_version = item_version + 1 WHERE id = NEW.id; END`,
    ]);
  }
};
