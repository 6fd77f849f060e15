/**
 * Schema parts of PostgreSQL only: the search index, position marks of lists, and triggers that count per statement.
 */
import { columnTypes } from '../up.ts';
import { itemColumns } from './sqlite.ts';

const { sortedText } = columnTypes.postgres;
const of = (row: string, columns: string[]) => columns.map((column) => `${row}.${column}`).join(', ');
const changed = (columns: string[]) => `(${of('OLD', columns)}) IS DISTINCT FROM (${of('NEW', columns)})`;

/** Columns of a photo that queries filter by, in addition to its text. */
const asked = [
  ...['album_id', 'taken_time', 'create_time', 'size', 'iso', 'focal_length', 'width', 'height', 'camera'],
  ...['lens', 'aperture'],
];

/** Columns that determine a photo's position in a list, except orders by time. */
const sorts = ['views', 'likes', 'favorites', 'downloads', 'size', 'update_time', 'title_key'];
const placing = ['visibility', ...sorts];

const triggerFunction = (name: string, body: string) =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`;

const searchIndex = [
  // Returns the characters and adjacent pairs of a text, some of them twice. The index stores each only once.
  `CREATE FUNCTION lightwell_grams(given text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
    DECLARE characters text[] := string_to_array(given, NULL);
    BEGIN
      RETURN characters || ARRAY(SELECT one || next FROM unnest(characters, characters[2:]) AS pairs (one, next)
        WHERE next IS NOT NULL);
    END $$`,
  `CREATE TABLE photo_texts (
    photo_id bigint PRIMARY KEY REFERENCES photos (id) ON DELETE CASCADE,
    user_id bigint NOT NULL, visibility integer NOT NULL,
    album_id bigint, taken_time bigint NOT NULL, create_time bigint NOT NULL, size bigint NOT NULL, iso bigint NOT NULL,
    focal_length double precision NOT NULL, width integer NOT NULL, height integer NOT NULL,
    camera text NOT NULL, lens text NOT NULL, aperture text NOT NULL, text ${sortedText} NOT NULL)`,
  'CREATE INDEX photo_texts_grams ON photo_texts USING gin (lightwell_grams(text))',
  triggerFunction(
    'photo_texts_follow',
    `UPDATE photo_texts SET (${asked.join(', ')}) = (${of('NEW', asked)}) WHERE photo_id = NEW.id; RETURN NULL;`,
  ),
  `CREATE TRIGGER photos_texts_follow AFTER UPDATE OF ${asked.join(', ')} ON photos
    FOR EACH ROW WHEN (${changed(asked)}) EXECUTE FUNCTION photo_texts_follow()`,
];

// The lock comes first, so that the next statement sees a generation that began before the lock was granted.
const note = (values: string) => `LOCK TABLE list_changes IN ROW EXCLUSIVE MODE;
  INSERT INTO list_changes (photo_id, generation, user_id, ${placing.join(', ')}) SELECT ${values}
    FROM list_generations WHERE generation > 0 ON CONFLICT DO NOTHING;
  RETURN NULL;`;

const listMarks = [
  `CREATE TABLE list_marks (
    sort text COLLATE "C" NOT NULL, user_id bigint NOT NULL, visibility integer NOT NULL,
    value bigint NOT NULL, title ${sortedText} NOT NULL, photo_id bigint NOT NULL, n bigint NOT NULL,
    PRIMARY KEY (sort, user_id, visibility, value, title, photo_id))`,
  `CREATE TABLE list_changes (
    photo_id bigint NOT NULL, generation bigint NOT NULL, user_id bigint NOT NULL, visibility integer NOT NULL,
    views bigint NOT NULL, likes bigint NOT NULL, favorites bigint NOT NULL, downloads bigint NOT NULL,
    size bigint NOT NULL, update_time bigint NOT NULL, title_key ${sortedText} NOT NULL,
    PRIMARY KEY (photo_id, generation))
    WITH (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0)`,
  'CREATE TABLE list_generations (generation bigint NOT NULL)',
  'INSERT INTO list_generations VALUES (0)',
  triggerFunction('list_changes_changed', note(`OLD.id, generation, OLD.user_id, ${of('OLD', placing)}`)),
  triggerFunction('list_changes_came', note(`NEW.id, generation, NEW.user_id, 0, ${of('NEW', sorts)}`)),
  `CREATE TRIGGER photos_list_came AFTER INSERT ON photos
    FOR EACH ROW WHEN (NEW.visibility > 0) EXECUTE FUNCTION list_changes_came()`,
  `CREATE TRIGGER photos_list_changed AFTER UPDATE OF ${placing.join(', ')} ON photos
    FOR EACH ROW WHEN ((OLD.visibility > 0 OR NEW.visibility > 0) AND ${changed(placing)})
    EXECUTE FUNCTION list_changes_changed()`,
  `CREATE TRIGGER photos_list_went AFTER DELETE ON photos
    FOR EACH ROW WHEN (OLD.visibility > 0) EXECUTE FUNCTION list_changes_changed()`,
];

/** Creates a trigger that runs once per statement, with the removed rows as `went` and the added rows as `came`. */
const statementTrigger = (table: string, name: string, event: string, tables: string, body: string) => [
  triggerFunction(`${table}_${name}`, `${body} RETURN NULL;`),
  `CREATE TRIGGER ${table}_${name} AFTER ${event} ON ${table} REFERENCING ${tables}
    FOR EACH STATEMENT EXECUTE FUNCTION ${table}_${name}()`,
];
const old = 'OLD TABLE AS went';
const young = 'NEW TABLE AS came';

/** Counts tags by owner. User 0 stands for all users. */
const counted = (
  rows: string,
) => `SELECT users.id AS user_id, visibility, name_key, min(name) AS name, count(*) AS n
  FROM (${rows}) AS tags CROSS JOIN LATERAL (VALUES (0::bigint), (tags.user_id)) AS users (id)
  WHERE visibility > 0 GROUP BY users.id, visibility, name_key`;
const same =
  't.user_id = counted.user_id AND t.visibility = counted.visibility AND t.name_key = counted.name_key';
const add = (rows: string) => `INSERT INTO tag_totals (user_id, visibility, name_key, name, n)
  SELECT user_id, visibility, name_key, name, n FROM (${counted(rows)}) AS counted
  ON CONFLICT (user_id, visibility, name_key) DO UPDATE SET n = tag_totals.n + excluded.n;`;
const subtract = (rows: string) => `DELETE FROM tag_totals t USING (${counted(rows)}) AS counted
    WHERE ${same} AND t.n <= counted.n;
  UPDATE tag_totals t SET n = t.n - counted.n FROM (${counted(rows)}) AS counted WHERE ${same};`;
const moved = (side: string, other: string) =>
  `SELECT a.* FROM ${side} a JOIN ${other} b USING (photo_id, name_key) WHERE a.visibility <> b.visibility`;
// The advisory lock makes the second of two transactions that change the same totals wait instead of fail.
const inTurn = (changes: string) => `PERFORM pg_advisory_xact_lock(7461001); ${changes}`;

const addedNotices = 'SELECT user_id, 1 AS n, 1 - is_read AS unread FROM came';
const removedNotices = 'SELECT user_id, -1 AS n, is_read - 1 AS unread FROM went';
const sumNotices = (changes: string) => `INSERT INTO notification_totals AS totals (user_id, n, unread)
  SELECT user_id, sum(n), sum(unread) FROM (${changes}) AS changes
  GROUP BY user_id HAVING sum(n) <> 0 OR sum(unread) <> 0 ORDER BY user_id
  ON CONFLICT (user_id) DO UPDATE SET n = totals.n + excluded.n, unread = totals.unread + excluded.unread;`;

const totals = [
  ...statementTrigger('photo_tags', 'added', 'INSERT', young, inTurn(add('SELECT * FROM came'))),
  ...statementTrigger('photo_tags', 'removed', 'DELETE', old, inTurn(subtract('SELECT * FROM went'))),
  ...statementTrigger(
    'photo_tags',
    'changed',
    'UPDATE',
    `${old} ${young}`,
    inTurn(`${subtract(moved('went', 'came'))} ${add(moved('came', 'went'))}`),
  ),
  ...statementTrigger('notifications', 'added', 'INSERT', young, sumNotices(addedNotices)),
  ...statementTrigger('notifications', 'removed', 'DELETE', old, sumNotices(removedNotices)),
  ...statementTrigger(
    'notifications',
    'read',
    'UPDATE',
    `${old} ${young}`,
    sumNotices(`${addedNotices} UNION ALL ${removedNotices}`),
  ),
];

const itemTriggers = Object.entries(itemColumns).flatMap(([table, columns]) => [
  `CREATE TRIGGER ${table}_item_changed BEFORE UPDATE OF ${columns.join(', ')} ON ${table}
    FOR EACH ROW WHEN (${changed(columns)}) EXECUTE FUNCTION item_changed()`,
  `CREATE TRIGGER ${table}_item_came BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION item_changed()`,
]);

export const postgres = [
  'ALTER TABLE albums ADD FOREIGN KEY (cover_id) REFERENCES photos (id) ON DELETE SET NULL',
  `CREATE INDEX photos_asked ON photos (camera, lens, visibility, user_id, album_id, taken_time, create_time,
    iso, aperture, focal_length, size, width, height) INCLUDE (id)`,
  ...searchIndex,
  ...listMarks,
  ...totals,
  triggerFunction('audit_log_unchanged', `RAISE EXCEPTION 'audit_log is only ever added to';`),
  `CREATE TRIGGER audit_log_unchanged BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW WHEN (OLD.attempt_key IS NULL) EXECUTE FUNCTION audit_log_unchanged()`,
  `CREATE TRIGGER audit_log_not_truncated BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_unchanged()`,
  // Sets a random version below 2^53 at each change of a column that lists show.
  triggerFunction(
    'item_changed',
    'NEW.item_version := floor(random() * 9007199254740992)::bigint; RETURN NEW;',
  ),
  ...itemTriggers,
];
