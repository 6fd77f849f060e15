/**
 * Creates a gallery with a large album, feed, comments and notifications. The gallery has rows only, created
 * by SQL that both databases accept. Stored totals are computed at the end.
 */
import { mkdirSync } from 'node:fs';
import { sql, type Transaction } from 'kysely';
import { tokenHash } from '../server/gallery/identity/tokens.ts';
import { type Database, openDatabase } from '../server/platform/db/index.ts';
import type { Tables } from '../server/platform/db/tables.ts';
import { openStorage } from '../server/platform/storage/open.ts';
import { liftIndexes } from './indexes.ts';

/** Number of people whom the gallery's reader follows. */
export const followees = 1000;
const start = 1_600_000_000;

export const reader = { id: followees + 1, token: 'reader'.padEnd(43, '0') };
/**
 * A person whom the reader does not follow, with the newest photos, so that the feed is not at the start of
 * all photos.
 */
const stranger = { id: followees + 2, photos: 2000 };
/** A person who follows the stranger and everybody whom the reader follows. */
export const fan = { id: followees + 3, token: 'fan'.padEnd(43, '0') };
export const albumOwner = { id: 1, token: 'owner'.padEnd(43, '0') };
export const albumId = 1;
const commentsOfThread = 5;
export const talkedAbout = { photoId: 3, comments: 100_000, threads: 100_000 / commentsOfThread };
export const notifications = 10_000;

export interface Sizes {
  /** Number of photos of followed people. One in five is private, but none of those in the album. */
  photos: number;
  /** Every n-th photo is in the large album. */
  albumEvery: number;
  /**
   * Number of comments on one photo, at least as many as notifications. The default is a hundred thousand.
   */
  comments?: number;
}

/**
 * Database limits without a short timeout, because creating all indexes of a table takes longer than a
 * request may.
 */
export const unhurried = {
  pool: 2,
  connectTimeoutMs: 5000,
  statementTimeoutMs: 0,
  lockTimeoutMs: 0,
  prepares: true,
};

/** Creates the gallery. `url` is an empty PostgreSQL database; undefined means SQLite in the folder. */
export async function makeGallery(dataDir: string, url: string | undefined, sizes: Sizes): Promise<void> {
  console.log(`making a gallery of ${sizes.photos.toLocaleString('en')} photos and a thousand people …`);
  mkdirSync(dataDir, { recursive: true });
  await openStorage({ dataDir });
  const database = await openDatabase({ dataDir, url, limits: unhurried, onError: console.error });
  try {
    await fill(database, sizes);
  } finally {
    await database.close();
  }
}

async function fill({ kysely, name }: Database, sizes: Sizes): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    const restore = await liftIndexes(transaction, name, [
      'photos',
      'photo_views',
      'photo_counts',
      'photo_tags',
      'comments',
      'notifications',
    ]);
    await insertUsers(transaction);
    await insertPhotos(transaction, sizes);
    await insertTags(transaction, sizes);
    await insertComments(transaction, sizes);
    await insertNotifications(transaction);
    await restore();
    await count(transaction);
  });
  // Collects statistics for the query planner, which autovacuum or a server start would normally do.
  await sql`ANALYZE`.execute(kysely);
}

/** Returns a common table expression (CTE) with the numbers `i` from 1 to `n`. */
const series = (n: number) =>
  sql`WITH RECURSIVE numbers (i) AS (SELECT CAST(1 AS bigint) UNION ALL SELECT i + 1 FROM numbers WHERE i < ${sql.lit(n)})`;

async function run(transaction: Transaction<Tables>, ...statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(transaction);
}

async function insertUsers(transaction: Transaction<Tables>): Promise<void> {
  await sql`INSERT INTO users (id, username, username_key, email, email_key, password_hash, nickname, avatar, bio,
      gender, birthday, mobile, status, is_admin, quota_bytes, used_bytes, create_time)
    ${series(fan.id)}
    SELECT i, 'user' || i, 'user' || i, 'user' || i || '@example.org', 'user' || i || '@example.org', '', 'user' || i,
      '', '', 0, '', '', 1, 0, NULL, 0, ${sql.lit(start)} FROM numbers`.execute(transaction);
  for (const { id, token } of [reader, fan, albumOwner]) {
    await sql`INSERT INTO sessions (user_id, token_hash, user_agent, ip, create_time, last_used_time, expire_time)
      VALUES (${id}, ${tokenHash(token)}, '', '', ${start}, ${4e9}, ${5e9})`.execute(transaction);
  }
  await run(
    transaction,
    ...[reader, fan].map(
      ({ id }) =>
        `INSERT INTO follows (follower_id, followee_id, create_time) SELECT ${id}, id, ${start} FROM users WHERE id <= ${followees}`,
    ),
    `INSERT INTO follows (follower_id, followee_id, create_time) VALUES (${fan.id}, ${stranger.id}, ${start})`,
    `UPDATE users SET
      followers = (SELECT count(*) FROM follows WHERE followee_id = users.id),
      following = (SELECT count(*) FROM follows WHERE follower_id = users.id)`,
    `INSERT INTO albums (id, user_id, name, level, create_time, update_time, name_key, search_text)
      VALUES (${albumId}, ${albumOwner.id}, 'Everything', 1, ${start}, ${start}, 'everything', 'everything')`,
  );
}

async function insertPhotos(transaction: Transaction<Tables>, { photos, albumEvery }: Sizes): Promise<void> {
  const isPrivate = sql`i % ${sql.lit(albumEvery)} <> 0 AND i * 7 / 11 % 5 = 4`;
  const isInAlbum = sql`i % ${sql.lit(albumEvery)} = 0 AND i <= ${sql.lit(photos)}`;
  await sql`INSERT INTO photos (id, user_id, visibility, create_time, width, height,
      image_key, title, placeholder, album_id, level, size, update_time, taken_time, title_key,
      tags, camera, aperture, shutter, iso, file_name, original_key, sha256, delete_time, description)
    ${series(photos + stranger.photos)}
    SELECT i,
      CASE WHEN i > ${sql.lit(photos)} THEN ${sql.lit(stranger.id)} WHEN i % ${sql.lit(albumEvery)} = 0 THEN ${sql.lit(albumOwner.id)}
        ELSE 1 + (i * 7919) % ${sql.lit(followees)} END,
      CASE WHEN ${isPrivate} THEN 1 ELSE 2 END,
      ${sql.lit(start)} + i * 3, 4000, 3000,
      '000000000000000000000' || CAST(10000000000 + i AS text), 'Photo ' || i, 'IQcGBYBnd4h4iHh3eGh4cIeAC6uo',
      CASE WHEN ${isInAlbum} THEN ${sql.lit(albumId)} END,
      CASE WHEN ${isPrivate} THEN 0 ELSE 1 END, 4000000 + i * 47 % 10007,
      ${sql.lit(start)} + i * 3, ${sql.lit(start)} - i * 53 % 100003, 'photo ' || i,
      '[]', 'Canon EOS R5', 'f/2.8', '1/125', 100, 'photo.jpg',
      '000000000000000000000' || CAST(10000000000 + i AS text),
      CAST(10000000000 + i AS text) || '000000000000000000000', NULL, ''
    FROM numbers`.execute(transaction);
  await sql`INSERT INTO album_photos (album_id, photo_id, position, visibility, create_time, added_by, added_time)
    SELECT album_id, id, id, visibility, create_time, user_id, create_time FROM photos
    WHERE album_id IS NOT NULL ORDER BY id`.execute(transaction);
  await sql`INSERT INTO photo_views (photo_id, visibility, views, downloads)
    SELECT id, visibility, id * 31 % 1009, id * 43 % 307 FROM photos`.execute(transaction);
  await sql`INSERT INTO photo_counts (photo_id, user_id, visibility, likes, favorites)
    SELECT id, user_id, visibility, id * 37 % 211, id * 41 % 101 FROM photos`.execute(transaction);
  await sql`INSERT INTO images (key, photo_id, kind, edit_id, extension, mime, width, height, size,
      preview_extension, full_extension, clean_parts, frames, placeholder, create_time, expire_time)
    SELECT image_key, id, 'original', NULL, 'jpg', 'image/jpeg', width, height, size, 'jpg', '', NULL, 1, placeholder,
      create_time, NULL FROM photos WHERE album_id IS NOT NULL`.execute(transaction);
}

/**
 * Inserts three tags for each album photo: one on all photos, one of a hundred and one of ten thousand tags.
 */
async function insertTags(transaction: Transaction<Tables>, { albumEvery }: Sizes): Promise<void> {
  for (const [position, kinds] of [1, 100, 10_000].entries()) {
    await sql`INSERT INTO photo_tags (photo_id, position, name, name_key, user_id, visibility, create_time)
      SELECT id, ${sql.lit(position)}, 'Tag ' || ${sql.lit(position)} || ' ' || (id / ${sql.lit(albumEvery)} % ${sql.lit(kinds)}),
        'tag ' || ${sql.lit(position)} || ' ' || (id / ${sql.lit(albumEvery)} % ${sql.lit(kinds)}), user_id, visibility, create_time
      FROM photos WHERE album_id = ${sql.lit(albumId)}`.execute(transaction);
  }
}

/** Inserts comments: one in five starts a thread, and the other four reply. */
async function insertComments(
  transaction: Transaction<Tables>,
  { comments = talkedAbout.comments }: Sizes,
): Promise<void> {
  const { photoId } = talkedAbout;
  const threads = comments / commentsOfThread;
  await sql`INSERT INTO comments (id, photo_id, parent_id, user_id, likes, reply_count, create_time, content)
    ${series(comments)}
    SELECT i, ${sql.lit(photoId)}, CASE WHEN i > ${sql.lit(threads)} THEN 1 + i % ${sql.lit(threads)} END,
      1 + i % ${sql.lit(followees)}, 0, CASE WHEN i > ${sql.lit(threads)} THEN 0 ELSE ${sql.lit(commentsOfThread - 1)} END,
      ${sql.lit(start)} + i, 'What a light, ' || i
    FROM numbers`.execute(transaction);
  await run(
    transaction,
    `UPDATE photo_counts SET comments = ${comments}, comment_threads = ${threads} WHERE photo_id = ${photoId}`,
  );
}

async function insertNotifications(transaction: Transaction<Tables>): Promise<void> {
  await sql`INSERT INTO notifications (user_id, type, actor_id, photo_id, comment_id, count, notices, notices_read,
      is_read, create_time)
    ${series(notifications)}
    SELECT ${sql.lit(reader.id)}, CASE i % 3 WHEN 0 THEN 'follow' WHEN 1 THEN 'like' ELSE 'reply' END,
      1 + i % ${sql.lit(followees)}, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN 1 + i % 1000 ELSE ${sql.lit(talkedAbout.photoId)} END,
      CASE i % 3 WHEN 2 THEN i END, 1, 1, 0, 0, ${sql.lit(start)} + i
    FROM numbers`.execute(transaction);
}

async function count(transaction: Transaction<Tables>): Promise<void> {
  await run(
    transaction,
    `DELETE FROM tag_totals`,
    ...['0', 'user_id'].flatMap((user) => [
      `INSERT INTO photo_totals (user_id, visibility, n) SELECT ${user}, visibility, count(*) FROM photos GROUP BY 1, 2`,
      `INSERT INTO tag_totals (user_id, visibility, name_key, name, n)
        SELECT ${user}, visibility, name_key, min(name), count(*) FROM photo_tags GROUP BY 1, 2, 3`,
    ]),
    `UPDATE albums SET
      next_position = (SELECT max(position) + 1 FROM album_photos WHERE album_id = albums.id)`,
  );
}
