/** Creates a gallery at the baseline migration, filled by SQL that does not depend on later migrations. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { hashPassword } from '../../server/gallery/identity/passwords.ts';
import { chargedBytes } from '../../server/gallery/photos/upload/quota.ts';
import type { OpenedDatabase } from '../../server/platform/db/dialect.ts';
import { foldText } from '../../server/platform/db/fold.ts';
import { migrateSchema, migrationNames } from '../../server/platform/db/migrate.ts';
import { gramTokens } from '../../server/platform/db/sqlite/search.ts';
import { cheapCosts } from './harness.ts';
import { password } from './people.ts';

type Row = Record<string, string | number | null>;

export const shareToken = 's'.repeat(43);
/** Token of an existing session of Ana. */
export const sessionToken = 't'.repeat(43);
const firstTime = 1_700_000_000;

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
 * Photos with the ids 1 to 7. Album 2 is private. The fourth photo is in the trash, the sixth shows an edited
 * version, and the seventh belongs to a disabled account.
 */
const oldPhotos: OldPhoto[] = [
  { user: 1, title: 'Sunrise', tags: ['Sea', 'Sun'], album: 1, visibility: 2, likes: 1 },
  { user: 1, title: 'At home', tags: ['sea'], album: 2, visibility: 1 },
  { user: 1, title: 'Secret note', tags: [], isPublic: 0, visibility: 1 },
  { user: 1, title: 'Thrown away', tags: ['Sea'], album: 1, visibility: 0 },
  { user: 2, title: 'ΑΘΉΝΑΣ', tags: ['SEA'], visibility: 2, likes: 1 },
  { user: 1, title: 'Sunset', tags: [], album: 1, visibility: 2, isEdited: true },
  { user: 3, title: 'Of a disabled user', tags: ['sea'], visibility: 1 },
];

/**
 * Creates a gallery at the baseline in an empty database. The users are 1 Ana, 2 Ben, 3 a disabled account
 * and 4 an admin, all with the tests' password.
 */
export async function makeOldGallery(db: OpenedDatabase): Promise<void> {
  await migrateSchema(db, migrationNames[0]);
  // Adds the migration rows of a gallery that reached the baseline by earlier migrations.
  await sql`INSERT INTO kysely_migration (name, timestamp)
    VALUES ('0001_core', ''), ('0039_rendition_charges', '')`.execute(db.kysely);
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
    create_time: firstTime,
    last_used_time: firstTime,
    expire_time: 4_000_000_000,
  });
  for (const [name, is_public, photo_count] of [
    ['Öffentlich', 1, 2],
    ['Daheim', 0, 1],
  ] as const) {
    const key = foldText(name);
    await insert('albums', {
      ...{ user_id: 1, name, is_public, create_time: firstTime, update_time: firstTime },
      ...{ name_key: key, search_text: key, visibility: 1 + is_public, photo_count },
      ...{ public_count: photo_count * is_public, next_position: 7 },
    });
  }
  for (const [index, photo] of oldPhotos.entries()) await insertPhoto(db, insert, index + 1, photo);
  const reaction = { create_time: firstTime + 50 };
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
    create_time: firstTime,
  });
  for (const [user_id, visibility, n] of [
    [0, 2, 3],
    [0, 1, 3],
    [0, 0, 1],
    [1, 2, 2],
    [1, 1, 2],
    [1, 0, 1],
    [2, 2, 1],
    [3, 1, 1],
  ] as const) {
    await insert('photo_totals', { user_id, visibility, n });
    for (const kind of visibility > 0 ? ['taken', 'added'] : []) {
      await insert('photo_groups', { user_id, visibility, kind, value: '2023-11', n, ratio: 1333 * n });
    }
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
    used_bytes: chargedBytes(
      oldPhotos
        .filter(({ user }) => user === id)
        .flatMap(({ isEdited }) => (isEdited ? [{ size: 100 }, { size: 100 }] : [{ size: 100 }])),
    ),
    create_time: firstTime,
    nickname_key: foldText(nickname),
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
  const create_time = firstTime + id;
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
    title_key: foldText(title),
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
    album_position: album ? id : 0,
    preview_extension: id === 5 ? 'jpg' : 'webp',
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
  await insert('images', {
    ...image,
    key,
    kind: 'original',
    private_time: isEdited ? firstTime + 3600 : null,
  });
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
  await insertSearchText(db, id, user, visibility, foldText([title, '', ...tags].join('\u0001')));
}

/** Adds a text to the search index of the baseline. */
async function insertSearchText(
  db: OpenedDatabase,
  id: number,
  user: number,
  visibility: number,
  text: string,
) {
  if (db.name === 'sqlite') {
    const row = sql.lit(visibility === 2 ? id : user * 2 ** 32 + id);
    await sql`INSERT INTO photo_trigrams (rowid, text) VALUES (${row}, ${text})`.execute(db.kysely);
    await sql`INSERT INTO photo_grams (rowid, grams) VALUES (${row}, ${gramTokens(text)})`.execute(db.kysely);
    return;
  }
  const asked = sql.raw(
    'album_id, taken_time, create_time, size, iso, focal_length, width, height, camera, lens, aperture',
  );
  await sql`INSERT INTO photo_texts (photo_id, user_id, visibility, ${asked}, text)
    SELECT id, user_id, visibility, ${asked}, ${text} FROM photos WHERE id = ${id}`.execute(db.kysely);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export type Dump = Record<string, Row[]>;

/** Returns every row of every table, except the rows about migrations. */
export async function dumpRows(db: OpenedDatabase): Promise<Dump> {
  const dump: Dump = {};
  for (const { name } of await db.kysely.introspection.getTables()) {
    if (/^kysely_|^photo_(tri)?grams/.test(name)) continue;
    const { rows } = await sql<Row>`SELECT * FROM ${sql.table(name)}`.execute(db.kysely);
    dump[name] = rows;
  }
  return dump;
}

/** Returns the sorted rows of the first dump, with only the tables and columns that both dumps have. */
export function selectCommonColumns(dump: Dump, other: Dump): Dump {
  return Object.fromEntries(
    Object.keys(dump)
      .filter((table) => dump[table]!.length > 0 && other[table]?.length)
      .map((table) => {
        const columns = Object.keys(dump[table]![0]!).filter((column) => column in other[table]![0]!);
        const rows = dump[table]!.map((row) =>
          JSON.stringify(columns.map((column) => [column, row[column]!])),
        );
        return [table, rows.sort().map((row) => Object.fromEntries(JSON.parse(row)))];
      }),
  );
}
