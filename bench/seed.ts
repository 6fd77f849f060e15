/**
 * Creates a gallery of any size in seconds, with rows only, because lists and searches never read objects.
 * The gallery stays in `bench/data/<photos>` for later runs.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql, type Transaction } from 'kysely';
import { tokenHash } from '../server/gallery/identity/tokens.ts';
import { selectPhotoGroupCounts } from '../server/gallery/library/groups.ts';
import { buildSearchTexts, createTitleKey } from '../server/gallery/library/search-text.ts';
import { foldSearchText } from '../server/platform/db/fold.ts';
import { openDatabase } from '../server/platform/db/index.ts';
import { gramTokens } from '../server/platform/db/sqlite/search.ts';
import type { Tables } from '../server/platform/db/tables.ts';
import { openStorage } from '../server/platform/storage/open.ts';
import { readerId, tokens } from './mixed-load.ts';
import { createRandom, createTexts } from './words.ts';

const users = 1000;
/** Session token of user 7, who has private photos like all users. */
export const viewerToken = 'bench'.padEnd(43, '0');

/** Keywords in a hundred photos, and in every tenth photo. */
export const planted = {
  rare: ['zqxv', '龘靐', 'qj'],
  common: ['sunset', '日落', 'zw'],
};

/** Raise this number when migrations change the seeded data; older galleries are created again. */
const schemaVersion = 6;

/** Fraction of private photos: one in five. */
const privateShare = 0.2;
const start = 1_600_000_000;
/** Photos are uploaded over five years, whatever their number, and taken up to three years before. */
const spanSeconds = 5 * 365 * 86_400;

/** Creates or reuses a gallery, and returns its data folder inside `folder`. */
export async function seed(photos: number, folder = join(import.meta.dirname, 'data')): Promise<string> {
  const dataDir = join(folder, `${photos}-v${schemaVersion}`);
  if (existsSync(join(dataDir, 'seeded.db'))) return dataDir;
  rmSync(dataDir, { recursive: true, force: true });
  console.log(`making a gallery of ${photos.toLocaleString('en')} photos …`);
  await openStorage({ dataDir });
  const database = await openDatabase({ dataDir, url: undefined, onError: console.error });
  try {
    await database.kysely.transaction().execute(insertPeople);
  } finally {
    await database.close();
  }
  fill(join(dataDir, 'lightwell.db'), photos);
  await countGroups(dataDir);
  new DatabaseSync(join(dataDir, 'seeded.db')).close();
  return dataDir;
}

async function countGroups(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir, url: undefined, onError: console.error });
  await sql`INSERT INTO photo_groups (user_id, visibility, kind, value, n, ratio)
    SELECT user_id, visibility, kind, value, n, ratio FROM (${selectPhotoGroupCounts(database)}) AS counted`.execute(
    database.kysely,
  );
  await database.close();
}

async function insertPeople(kysely: Transaction<Tables>): Promise<void> {
  for (let id = 1; id <= users; id++) {
    const name = `user${id}`;
    await sql`INSERT INTO users (id, username, username_key, email, email_key, password_hash, nickname, avatar, bio,
      gender, birthday, mobile, status, is_admin, quota_bytes, used_bytes, create_time) VALUES (${id}, ${name}, ${name}, ${`${name}@example.org`}, ${`${name}@example.org`},
      '', ${name}, '', '', 0, '', '', 1, 0, NULL, 0, ${start})`.execute(kysely);
  }
  const sessions = [...tokens.map((token, n) => [readerId(n), token] as const), [7, viewerToken] as const];
  for (const [user, token] of sessions) {
    await sql`INSERT INTO sessions (user_id, token_hash, user_agent, ip, create_time, last_used_time, expire_time)
      VALUES (${user}, ${tokenHash(token)}, '', '', ${start}, ${4e9}, ${5e9})`.execute(kysely);
  }
}

/** Fills the SQLite file directly and creates indexes last; through the application this would take hours. */
function fill(file: string, photos: number): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000');
  const indexes = database
    .prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('photos', 'photo_views', 'photo_counts', 'photo_tags', 'images') AND sql IS NOT NULL",
    )
    .all() as { name: string; sql: string }[];
  for (const { name } of indexes) database.exec(`DROP INDEX ${name}`);
  insertPhotos(database, photos);
  for (const { sql } of indexes) database.exec(sql);
  database.exec(`INSERT INTO photo_totals (user_id, visibility, n)
      SELECT user_id, visibility, count(*) FROM photos GROUP BY 1, 2;
    INSERT INTO photo_totals (user_id, visibility, n) SELECT 0, visibility, count(*) FROM photos GROUP BY 2;
    INSERT INTO equipment_names (name, name_key)
      SELECT name, lower(name) FROM (SELECT camera AS name FROM photos UNION SELECT lens FROM photos) WHERE name <> '';
    PRAGMA journal_mode = WAL`);
  database.close();
}

/** Columns in the order of the values below, as for the other tables. */
const photoColumns = `id, user_id, visibility, create_time, width, height,
  image_key, title, placeholder, album_id, level, size, update_time, taken_time, title_key, tags, camera,
  lens, aperture, shutter, iso, focal_length, file_name, original_key, sha256, delete_time, description`;
const imageColumns = `key, photo_id, kind, edit_id, extension, mime, width, height, size, preview_extension,
  full_extension, clean_parts, frames, placeholder, create_time, expire_time`;
const tagColumns = 'photo_id, position, name, name_key, user_id, visibility, create_time';

/** Returns an INSERT statement with named columns, so that a migration may add a column. */
function insertInto(table: string, columns: string): string {
  return `INSERT INTO ${table} (${columns}) VALUES (${columns.split(',').fill('?').join()})`;
}

function insertPhotos(database: DatabaseSync, photos: number): void {
  const random = createRandom(1);
  const text = createTexts(random);
  const photo = database.prepare(insertInto('photos', photoColumns));
  const views = database.prepare(insertInto('photo_views', 'photo_id, visibility, views, downloads'));
  const counts = database.prepare(
    insertInto('photo_counts', 'photo_id, user_id, visibility, likes, favorites'),
  );
  const image = database.prepare(insertInto('images', imageColumns));
  const tag = database.prepare(insertInto('photo_tags', tagColumns));
  const searchable = createSearchInsert(database);
  const rareEvery = Math.max(1, Math.floor(photos / 100));

  database.exec('BEGIN');
  for (let id = 1; id <= photos; id++) {
    const { title, description, tags } = plant(text(), id, rareEvery);
    const userId = 1 + Math.floor(random() * users);
    const visibility = random() < privateShare ? 1 : 2;
    const time = start + Math.floor((id * spanSeconds) / photos);
    const key = id.toString(16).padStart(32, '0');
    const hash = 'IQcGBYBnd4h4iHh3eGh4cIeAC6uo';
    const few = () => Math.floor(random() ** 3 * 1000);
    photo.run(
      id,
      userId,
      visibility,
      time,
      4000,
      3000,
      key,
      title,
      hash,
      null,
      visibility === 2 ? 1 : 0,
      4_000_000,
      time,
      time - few() * 86_400 - Math.floor(random() * 86_400),
      createTitleKey(title),
      JSON.stringify(tags),
      pickCamera(id, random),
      pickLens(random),
      `f/${1 + (id % 20)}`,
      '1/125',
      100 * (1 + ((id * 7919) % 64)),
      10 + (id % 190),
      'photo.jpg',
      key,
      key,
      null,
      description,
    );
    views.run(id, visibility, few(), few());
    counts.run(id, userId, visibility, few(), few());
    image.run(
      key,
      id,
      'original',
      null,
      'jpg',
      'image/jpeg',
      4000,
      3000,
      4_000_000,
      'jpg',
      '',
      null,
      1,
      hash,
      time,
      null,
    );
    tags.forEach((name, position) => {
      tag.run(id, position, name, foldSearchText(name), userId, visibility, time);
    });
    const texts = buildSearchTexts({ title, description, tags, file_name: 'photo.jpg', place_names: '' });
    searchable(id, userId, visibility, texts.text, texts.ownText);
  }
  database.exec('INSERT INTO photo_metadata (photo_id, reader) SELECT id, 1 FROM photos');
  database.exec('COMMIT');
}

const otherCameras = ['Canon EOS R', 'Sony ILCE-', 'Fujifilm X-T', 'Pixel ', 'Olympus E-M'].flatMap((make) =>
  Array.from({ length: 10 }, (_, model) => `${make}${model + 1}`),
);

/**
 * Returns a camera: one rare (one in a thousand), one common (one in ten), or one of fifty others with uneven
 * frequency.
 */
function pickCamera(id: number, random: () => number): string {
  if (id % 1000 === 5) return `Leica M${id % 7}`;
  if (id % 10 === 1) return `Nikon Z${id % 5}`;
  return otherCameras[Math.floor(random() ** 2 * otherCameras.length)]!;
}

/** Returns the name of a random lens, or '' for a third of the photos. */
function pickLens(random: () => number): string {
  return random() < 1 / 3 ? '' : `EF ${Math.floor(random() ** 2 * 100) + 10}mm f/2.8`;
}

function createSearchInsert(database: DatabaseSync) {
  const row = 'CASE ?2 WHEN 2 THEN ?1 ELSE CAST(?3 AS INTEGER) * 4294967296 + ?1 END';
  const trigrams = database.prepare(`INSERT INTO photo_trigrams (rowid, text) VALUES (${row}, ?4)`);
  const grams = database.prepare(`INSERT INTO photo_grams (rowid, grams) VALUES (${row}, ?4)`);
  const ownRow = '(1073741824 + CAST(?2 AS INTEGER)) * 4294967296 + ?1';
  const ownTrigrams = database.prepare(`INSERT INTO photo_trigrams (rowid, text) VALUES (${ownRow}, ?3)`);
  const ownGrams = database.prepare(`INSERT INTO photo_grams (rowid, grams) VALUES (${ownRow}, ?3)`);
  // The row ids exceed the exact numbers of JavaScript.
  for (const statement of [ownTrigrams, ownGrams]) statement.setReadBigInts(true);
  return (id: number, userId: number, visibility: number, text: string, ownText: string) => {
    trigrams.run(id, visibility, userId, text);
    grams.run(id, visibility, userId, gramTokens(text));
    ownTrigrams.run(id, userId, ownText);
    ownGrams.run(id, userId, gramTokens(ownText));
  };
}

function plant<Text extends { title: string }>(text: Text, id: number, rareEvery: number): Text {
  let { title } = text;
  if (id % 10 === 3) title += ` ${planted.common.join(' ')}`;
  if (id % rareEvery === 0) title += ` ${planted.rare.join(' ')}`;
  return { ...text, title };
}
