/**
 * On PostgreSQL, marks in the orders of lists, and what has changed since they were counted (gallery/library/marks.ts).
 * Who changes what places a photo writes what it said before, once in a generation, and waits for nobody but who begins
 * the next one.
 */
import { runAll, type Up } from './up.ts';

/** All orders but those by time, which are counted by months, and that of an album. */
const sorts = ['views', 'likes', 'favorites', 'downloads', 'size', 'update_time', 'title_key'];
const placing = ['visibility', ...sorts];

export const up: Up = async ({ name, types }, kysely) => {
  if (name === 'sqlite') return;
  const columns = ['photo_id', 'generation', 'user_id', ...placing].join(', ');
  const of = (row: string) => placing.map((column) => `${row}.${column}`).join(', ');
  // The lock comes first: the next statement then sees the generation that began before it was given.
  const note = (values: string) => `BEGIN
      LOCK TABLE list_changes IN ROW EXCLUSIVE MODE;
      INSERT INTO list_changes (${columns}) SELECT ${values} FROM list_generations WHERE generation > 0
        ON CONFLICT DO NOTHING;
      RETURN NULL;
    END`;
  const trigger = (name: string, event: string, when: string, body: string) =>
    `CREATE TRIGGER photos_list_${name} AFTER ${event} ON photos
      FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${body}()`;
  await runAll(kysely, [
    `CREATE TABLE list_marks (
      sort text COLLATE "C" NOT NULL, user_id bigint NOT NULL, visibility integer NOT NULL,
      value bigint NOT NULL, title ${types.sortedText} NOT NULL, photo_id bigint NOT NULL, n bigint NOT NULL,
      PRIMARY KEY (sort, user_id, visibility, value, title, photo_id))`,
    // Its rows come and go: they are cleared away by their number, not by their share.
    `CREATE TABLE list_changes (
      photo_id bigint NOT NULL, generation bigint NOT NULL, user_id bigint NOT NULL, visibility integer NOT NULL,
      views bigint NOT NULL, likes bigint NOT NULL, favorites bigint NOT NULL, downloads bigint NOT NULL,
      size bigint NOT NULL, update_time bigint NOT NULL, title_key ${types.sortedText} NOT NULL,
      PRIMARY KEY (photo_id, generation))
      WITH (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0)`,
    // 0: nothing is noted, as there are no marks.
    'CREATE TABLE list_generations (generation bigint NOT NULL)',
    'INSERT INTO list_generations VALUES (0)',
    `CREATE FUNCTION list_changes_changed() RETURNS trigger LANGUAGE plpgsql AS $$
      ${note(`OLD.id, generation, OLD.user_id, ${of('OLD')}`)} $$`,
    // Before it was there, it was in no list, as what is in the trash.
    `CREATE FUNCTION list_changes_came() RETURNS trigger LANGUAGE plpgsql AS $$
      ${note(`NEW.id, generation, NEW.user_id, 0, ${sorts.map((column) => `NEW.${column}`).join(', ')}`)} $$`,
    trigger('came', 'INSERT', 'NEW.visibility > 0', 'list_changes_came'),
    trigger(
      'changed',
      `UPDATE OF ${placing.join(', ')}`,
      `(OLD.visibility > 0 OR NEW.visibility > 0) AND (${of('OLD')}) IS DISTINCT FROM (${of('NEW')})`,
      'list_changes_changed',
    ),
    trigger('went', 'DELETE', 'OLD.visibility > 0', 'list_changes_changed'),
  ]);
};
