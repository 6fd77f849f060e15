/** A gallery as the first version left it: the tables of migration 0001, filled by SQL that knows no later one. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { hashPassword } from '../../server/gallery/accounts/passwords.ts';
import type { OpenedDatabase } from '../../server/platform/db/dialect.ts';
import { gramsOf, type SearchText } from '../../server/platform/db/search.ts';
import type { Transaction } from '../../server/platform/db/tables.ts';
import { cheapCosts } from './harness.ts';
import { password } from './people.ts';

type Row = Record<string, string | number | null>;

export const shareToken = 's'.repeat(43);
/** Ana's session, from before. */
export const sessionToken = 't'.repeat(43);
const start = 1_700_000_000;

/** In the order in which 0001 can take them; what a photo is in `oldPhotos` follows from the columns. */
const oldTables = [
  'users',
  'sessions',
  'albums',
  'photos',
  'images',
  'photo_tags',
  'likes',
  'favorites',
  'shares',
  'photo_totals',
];

interface OldPhoto {
  user: number;
  title: string;
  tags: string[];
  album?: number;
  isPublic?: number;
  visibility: number;
  likes?: number;
  isEdited?: boolean;
}

/**
 * Ids 1 to 7. Album 2 is private; the fourth is in the trash, the sixth shows an edited version, and the seventh is of
 * a disabled account, which the first version went on showing.
 */
const oldPhotos: OldPhoto[] = [
  { user: 1, title: 'Sunrise', tags: ['Sea', 'Sun'], album: 1, visibility: 2, likes: 1 },
  { user: 1, title: 'At home', tags: ['sea'], album: 2, visibility: 1 },
  { user: 1, title: 'Secret note', tags: [], isPublic: 0, visibility: 1 },
  { user: 1, title: 'Thrown away', tags: ['Sea'], album: 1, visibility: 0 },
  { user: 2, title: 'ΑΘΉΝΑΣ', tags: ['SEA'], visibility: 2, likes: 1 },
  { user: 1, title: 'Sunset', tags: [], album: 1, visibility: 2, isEdited: true },
  { user: 3, title: 'Of a disabled user', tags: ['sea'], visibility: 2 },
];

/** Users 1 Ana, 2 Ben, 3 a disabled one, 4 an admin, all with the tests' password. */
export async function fillOldGallery(db: OpenedDatabase): Promise<void> {
  const insert = async (table: string, row: Row) => {
    await sql`INSERT INTO ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
      VALUES (${sql.join(Object.values(row))})`.execute(db.kysely);
  };
  const hash = await hashPassword(password, cheapCosts);
  let id = 0;
  for (const [name, nickname, status, isAdmin] of [
    ['Ana', 'Änne ẞ', 1, 0],
    ['Ben', '', 1, 0],
    ['Cleo', '', 0, 0],
    ['Root', '', 1, 1],
  ] as const) {
    await insert('users', userRow(++id, name, nickname, { hash, status, isAdmin }));
  }
  await insert('sessions', {
    user_id: 1,
    token_hash: sha256(sessionToken),
    user_agent: '',
    ip: '',
    create_time: start,
    last_used_time: start,
    expire_time: 4_000_000_000,
  });
  for (const [name, is_public] of [
    ['Öffentlich', 1],
    ['Daheim', 0],
  ] as const) {
    await insert('albums', { user_id: 1, name, is_public, create_time: start, update_time: start });
  }
  for (const [index, photo] of oldPhotos.entries()) await insertPhoto(db, insert, index + 1, photo);
  const reaction = { create_time: start + 50 };
  await insert('likes', { photo_id: 1, user_id: 2, ...reaction });
  await insert('likes', { photo_id: 5, user_id: 1, ...reaction });
  await insert('favorites', { photo_id: 1, user_id: 2, ...reaction });
  await insert('shares', {
    token: shareToken,
    user_id: 1,
    type: 'link',
    photo_id: 2,
    album_id: null,
    password_hash: '',
    expire_time: null,
    views: 7,
    create_time: start,
  });
  for (const [user_id, visibility, n] of [
    [0, 2, 4],
    [0, 1, 2],
    [0, 0, 1],
    [1, 2, 2],
    [1, 1, 2],
    [1, 0, 1],
    [2, 2, 1],
    [3, 2, 1],
  ] as const) {
    await insert('photo_totals', { user_id, visibility, n });
  }
}

function userRow(
  id: number,
  username: string,
  nickname: string,
  { hash, status, isAdmin }: { hash: string; status: number; isAdmin: number },
): Row {
  const key = username.toLowerCase();
  return {
    username,
    username_key: key,
    email: `${username}@example.org`,
    email_key: `${key}@example.org`,
    password_hash: hash,
    nickname,
    avatar: '',
    bio: '',
    gender: 0,
    birthday: '',
    mobile: '',
    status,
    is_admin: isAdmin,
    quota_bytes: null,
    // Their originals, as it was counted then.
    used_bytes: 100 * oldPhotos.filter(({ user }) => user === id).length,
    create_time: start,
  };
}

async function insertPhoto(
  db: OpenedDatabase,
  insert: (table: string, row: Row) => Promise<void>,
  id: number,
  photo: OldPhoto,
): Promise<void> {
  const { user, title, tags, album, isPublic = 1, visibility, likes = 0, isEdited = false } = photo;
  const key = sha256(String(id)).slice(0, 32);
  const editKey = sha256(`edit of ${id}`).slice(0, 32);
  const create_time = start + id;
  const size = { width: 40, height: 30, size: 100 };
  await insert('photos', {
    user_id: user,
    visibility,
    create_time,
    ...size,
    views: 3,
    likes,
    favorites: id === 1 ? 1 : 0,
    downloads: 2,
    image_key: isEdited ? editKey : key,
    title,
    placeholder: '',
    album_id: album ?? null,
    is_public: isPublic,
    update_time: create_time,
    taken_time: create_time,
    title_key: title.toLowerCase(),
    tags: JSON.stringify(tags),
    camera: '',
    aperture: '',
    shutter: '',
    iso: 0,
    file_name: '',
    original_key: key,
    sha256: sha256(key),
    delete_time: visibility === 0 ? 4_000_000_000 : null,
    description: '',
  });
  const image = {
    photo_id: id,
    edit_id: null,
    extension: 'jpg',
    mime: 'image/jpeg',
    ...size,
    preview_extension: id === 5 ? 'jpg' : 'webp',
    full_extension: '',
    clean_parts: '[]',
    frames: 1,
    placeholder: '',
    create_time,
    expire_time: null,
  };
  await insert('images', { ...image, key, kind: 'original' });
  if (isEdited) await insert('images', { ...image, key: editKey, kind: 'edit' });
  for (const [position, name] of tags.entries()) {
    await insert('photo_tags', {
      photo_id: id,
      position,
      name,
      name_key: name.toLowerCase(),
      user_id: user,
      visibility,
      create_time,
    });
  }
  if (visibility === 0) return;
  const text = [title, '', ...tags].join('\u0001').toLowerCase();
  const entry = { photoId: id, userId: user, visibility: visibility as 0 | 1 | 2, text };
  await db.kysely.transaction().execute((transaction) => putText(db, transaction, entry));
}

/** As the first version did. */
async function putText(db: OpenedDatabase, transaction: Transaction, entry: SearchText): Promise<void> {
  if (db.name === 'sqlite') return db.search.put(transaction, entry);
  const { photoId, userId, visibility, text } = entry;
  await sql`INSERT INTO photo_texts (photo_id, user_id, visibility, text, grams)
    VALUES (${photoId}, ${userId}, ${visibility}, ${text}, ${[...gramsOf(text)]})`.execute(transaction);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Every row of the first version's tables, in the columns that `before` has, or in all of them. */
export async function dumpOldTables(
  db: OpenedDatabase,
  before?: Record<string, Row[]>,
): Promise<Record<string, Row[]>> {
  const dump: Record<string, Row[]> = {};
  for (const table of oldTables) {
    const { rows } = await sql<Row>`SELECT * FROM ${sql.table(table)}`.execute(db.kysely);
    const columns = Object.keys(before?.[table]?.[0] ?? rows[0]!);
    const same = rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]!])));
    dump[table] = same.sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
  }
  return dump;
}
