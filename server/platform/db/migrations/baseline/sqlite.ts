/** Schema parts of SQLite only: full-text indexes for the search, and triggers that count per row. */

/** Adds a tag to the totals of its owner and of user 0, who stands for all users. */
const add = (row: string) =>
  ['0', `${row}.user_id`]
    .map(
      (user) => `INSERT INTO tag_totals (user_id, visibility, name_key, name, n)
        VALUES (${user}, ${row}.visibility, ${row}.name_key, ${row}.name, 1)
        ON CONFLICT (user_id, visibility, name_key) DO UPDATE SET n = n + 1;`,
    )
    .join('\n');

const subtract = (row: string) => {
  const same = `user_id IN (0, ${row}.user_id) AND visibility = ${row}.visibility AND name_key = ${row}.name_key`;
  return `UPDATE tag_totals SET n = n - 1 WHERE ${same}; DELETE FROM tag_totals WHERE ${same} AND n <= 0;`;
};

/** Triggers skip tags that move together; those are counted in `tag_moves` first. */
const moved = `AFTER UPDATE OF visibility ON photo_tags
  WHEN NEW.visibility <> OLD.visibility AND NOT EXISTS (SELECT 1 FROM tag_moves)`;

const refuse = `BEGIN SELECT RAISE(ABORT, 'audit_log is only ever added to'); END`;

/** Sets a random version below 2^53 at each change of a column that lists show. */
const version = (table: string) =>
  `BEGIN UPDATE ${table} SET item_version = random() & 9007199254740991 WHERE id = NEW.id; END`;

export const itemColumns = {
  photos: [
    ...['user_id', 'title', 'image_key', 'preview_extension', 'placeholder', 'width', 'height', 'is_public'],
    ...['create_time', 'update_time', 'taken_time'],
  ],
  users: ['username', 'nickname', 'avatar'],
};

const itemTriggers = Object.entries(itemColumns).flatMap(([table, columns]) => {
  const of = (row: string) => columns.map((column) => `${row}.${column}`).join(', ');
  return [
    `CREATE TRIGGER ${table}_item_changed AFTER UPDATE OF ${columns.join(', ')} ON ${table} FOR EACH ROW
      WHEN (${of('OLD')}) IS NOT (${of('NEW')}) ${version(table)}`,
    `CREATE TRIGGER ${table}_item_came AFTER INSERT ON ${table} FOR EACH ROW ${version(table)}`,
  ];
});

export const sqlite = [
  `CREATE INDEX photos_asked ON photos (camera, lens, visibility, user_id, album_id, taken_time, create_time,
    iso, aperture, focal_length, size, width, height)`,

  `CREATE VIRTUAL TABLE photo_trigrams USING fts5
    (text, content='', contentless_delete=1, tokenize='trigram case_sensitive 1')`,
  `CREATE VIRTUAL TABLE photo_grams USING fts5
    (grams, content='', contentless_delete=1, detail=none, tokenize='ascii')`,

  'CREATE TABLE tag_moves (name_key text PRIMARY KEY, name text NOT NULL, n bigint NOT NULL)',
  `CREATE TRIGGER photo_tags_added AFTER INSERT ON photo_tags WHEN NEW.visibility > 0 BEGIN ${add('NEW')} END`,
  `CREATE TRIGGER photo_tags_removed AFTER DELETE ON photo_tags WHEN OLD.visibility > 0
    BEGIN ${subtract('OLD')} END`,
  `CREATE TRIGGER photo_tags_shown ${moved} AND NEW.visibility > 0 BEGIN ${add('NEW')} END`,
  `CREATE TRIGGER photo_tags_hidden ${moved} AND OLD.visibility > 0 BEGIN ${subtract('OLD')} END`,

  `CREATE TRIGGER notifications_added AFTER INSERT ON notifications BEGIN
    INSERT INTO notification_totals (user_id, n, unread) VALUES (NEW.user_id, 1, 1 - NEW.is_read)
    ON CONFLICT (user_id) DO UPDATE SET n = n + 1, unread = unread + 1 - NEW.is_read; END`,
  `CREATE TRIGGER notifications_removed AFTER DELETE ON notifications BEGIN
    UPDATE notification_totals SET n = n - 1, unread = unread - 1 + OLD.is_read
    WHERE user_id = OLD.user_id; END`,
  `CREATE TRIGGER notifications_read AFTER UPDATE OF is_read ON notifications
    WHEN NEW.is_read <> OLD.is_read BEGIN
    UPDATE notification_totals SET unread = unread + OLD.is_read - NEW.is_read
    WHERE user_id = NEW.user_id; END`,

  // Attempts have a key and may change. Acts, the permanent entries of the log, may not.
  `CREATE TRIGGER audit_log_not_updated BEFORE UPDATE ON audit_log WHEN OLD.attempt_key IS NULL ${refuse}`,
  `CREATE TRIGGER audit_log_not_deleted BEFORE DELETE ON audit_log WHEN OLD.attempt_key IS NULL ${refuse}`,
  `CREATE TRIGGER audit_log_not_replaced BEFORE INSERT ON audit_log
    WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id AND attempt_key IS NULL) ${refuse}`,

  ...itemTriggers,
];
