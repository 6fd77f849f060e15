/**
 * Moves the counters of photos to their own tables, so that counting updates few indexes. Drops indexes for rare orders
 * of one owner's photos. Reasons: `docs/adr/0052-counters-in-tables-of-their-own.md`.
 */
import { runAll, type Up } from './up.ts';

const dropped = [
  ...['views', 'likes', 'favorites', 'downloads'].flatMap((name) => [`by_${name}`, `of_user_by_${name}`]),
  ...['of_user_by_update_time', 'of_user_by_size', 'of_user_by_title_key', 'by_comments', 'delete_time'],
];

const moved = ['views', 'likes', 'favorites', 'downloads', 'comments', 'comment_threads'];

export const up: Up = async ({ name }, kysely) => {
  // On SQLite such a key is the rowid and needs no index.
  const key = `photo_id ${name === 'sqlite' ? 'integer' : 'bigint'} PRIMARY KEY
    REFERENCES photos (id) ON DELETE CASCADE`;
  // Free space in the pages lets a new version of a row fit beside the old one.
  const withRoom = name === 'sqlite' ? '' : 'WITH (fillfactor = 80)';
  await runAll(kysely, [
    // On PostgreSQL, dropping an index locks the table, so that no counter changes between the copies and the commit.
    ...dropped.map((index) => `DROP INDEX photos_${index}`),
    `CREATE TABLE photo_views (
      ${key}, visibility integer NOT NULL, views bigint NOT NULL DEFAULT 0, downloads bigint NOT NULL DEFAULT 0)
      ${withRoom}`,
    `INSERT INTO photo_views (photo_id, visibility, views, downloads)
      SELECT id, visibility, views, downloads FROM photos ORDER BY id`,
    'CREATE INDEX photo_views_by_views ON photo_views (visibility, views, photo_id)',
    'CREATE INDEX photo_views_by_downloads ON photo_views (visibility, downloads, photo_id)',
    `CREATE TABLE photo_counts (
      ${key}, user_id bigint NOT NULL, visibility integer NOT NULL, likes bigint NOT NULL DEFAULT 0,
      favorites bigint NOT NULL DEFAULT 0, comments bigint NOT NULL DEFAULT 0,
      comment_threads bigint NOT NULL DEFAULT 0) ${withRoom}`,
    `INSERT INTO photo_counts (photo_id, user_id, visibility, likes, favorites, comments, comment_threads)
      SELECT id, user_id, visibility, likes, favorites, comments, comment_threads FROM photos ORDER BY id`,
    'CREATE INDEX photo_counts_by_likes ON photo_counts (visibility, likes, photo_id)',
    'CREATE INDEX photo_counts_by_favorites ON photo_counts (visibility, favorites, photo_id)',
    'CREATE INDEX photo_counts_of_user ON photo_counts (user_id, visibility, likes) WHERE likes > 0',
    ...moved.map((column) => `ALTER TABLE photos DROP COLUMN ${column}`),
  ]);
};
