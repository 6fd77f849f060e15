/**
 * A photo and an account get another version whenever what a list shows of them changes, whoever changes it, the
 * counters of a photo left out: what gallery/photos/list/items.ts keeps of an item is shown as long as both versions are
 * the same. They are drawn, not counted: a database that has lost its last commits, after a failover or a restore under
 * a server that runs, would count the same numbers again, and give ids again, and the server still knows what is lost.
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

/** Below 2^53, as a JavaScript number holds them. */
const drawn = {
  sqlite: 'random() & 9007199254740991',
  postgres: 'floor(random() * 9007199254740992)::bigint',
};

export const up: Up = async ({ name }, kysely) => {
  if (name === 'postgres') {
    await runAll(kysely, [
      `CREATE FUNCTION item_changed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.item_version := ${drawn.postgres}; RETURN NEW; END $$`,
    ]);
  }
  for (const [table, columns] of Object.entries(shown)) {
    const of = (row: string) => columns.map((column) => `${row}.${column}`).join(', ');
    const updated = `UPDATE OF ${columns.join(', ')} ON ${table} FOR EACH ROW`;
    const draw =
      name === 'postgres'
        ? 'EXECUTE FUNCTION item_changed()'
        : `BEGIN UPDATE ${table} SET item_version = ${drawn.sqlite} WHERE id = NEW.id; END`;
    await runAll(kysely, [
      // What is there has 0 until it changes: no row is written.
      `ALTER TABLE ${table} ADD COLUMN item_version bigint NOT NULL DEFAULT 0`,
      name === 'postgres'
        ? `CREATE TRIGGER ${table}_item_changed BEFORE ${updated}
            WHEN ((${of('OLD')}) IS DISTINCT FROM (${of('NEW')})) ${draw}`
        : `CREATE TRIGGER ${table}_item_changed AFTER ${updated} WHEN (${of('OLD')}) IS NOT (${of('NEW')}) ${draw}`,
      `CREATE TRIGGER ${table}_item_came ${name === 'postgres' ? 'BEFORE' : 'AFTER'} INSERT ON ${table}
        FOR EACH ROW ${draw}`,
    ]);
  }
};
