/** Accounts, photos and their pictures, edits, reactions, shares. Row types: platform/db/tables.ts. */
import { runAll, type Up } from './up.ts';

/** Columns that the photo list sorts by; each gets an index for everybody's list and one for an owner's. */
const sorts = [
  'create_time',
  'update_time',
  'taken_time',
  'views',
  'likes',
  'favorites',
  'downloads',
  'size',
  'title_key',
];

export const up: Up = async (database, kysely) => {
  const { id, sortedText } = database.types;
  const statements = [
    `CREATE TABLE settings (name text PRIMARY KEY, value text NOT NULL)`,
    `CREATE TABLE users (
      id ${id},
      username text NOT NULL, username_key text NOT NULL,
      email text NOT NULL, email_key text NOT NULL,
      password_hash text NOT NULL,
      nickname text NOT NULL, avatar text NOT NULL, bio text NOT NULL,
      gender integer NOT NULL, birthday text NOT NULL, mobile text NOT NULL,
      status integer NOT NULL, is_admin integer NOT NULL,
      quota_bytes bigint, used_bytes bigint NOT NULL,
      create_time bigint NOT NULL)`,
    `CREATE UNIQUE INDEX users_username_key ON users (username_key)`,
    `CREATE UNIQUE INDEX users_email_key ON users (email_key)`,
    `CREATE INDEX users_avatar ON users (avatar)`,
    `CREATE TABLE sessions (
      id ${id},
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      token_hash text NOT NULL,
      user_agent text NOT NULL, ip text NOT NULL,
      create_time bigint NOT NULL, last_used_time bigint NOT NULL, expire_time bigint NOT NULL)`,
    `CREATE UNIQUE INDEX sessions_token_hash ON sessions (token_hash)`,
    `CREATE INDEX sessions_user ON sessions (user_id)`,
    `CREATE INDEX sessions_expire_time ON sessions (expire_time)`,
    `CREATE TABLE albums (
      id ${id},
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name text NOT NULL, is_public integer NOT NULL,
      create_time bigint NOT NULL, update_time bigint NOT NULL)`,
    `CREATE INDEX albums_user ON albums (user_id)`,
    `CREATE TABLE photos (
      id ${id},
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      visibility integer NOT NULL,
      create_time bigint NOT NULL,
      width integer NOT NULL, height integer NOT NULL,
      views bigint NOT NULL, likes bigint NOT NULL, favorites bigint NOT NULL, downloads bigint NOT NULL,
      image_key text NOT NULL, title text NOT NULL, placeholder text NOT NULL,
      album_id bigint REFERENCES albums (id) ON DELETE SET NULL,
      is_public integer NOT NULL, size bigint NOT NULL,
      update_time bigint NOT NULL, taken_time bigint NOT NULL,
      title_key ${sortedText} NOT NULL,
      tags text NOT NULL,
      camera text NOT NULL, aperture text NOT NULL, shutter text NOT NULL, iso bigint NOT NULL,
      file_name text NOT NULL, original_key text NOT NULL, sha256 text NOT NULL,
      delete_time bigint,
      description text NOT NULL)`,
    ...sorts.flatMap((column) => [
      `CREATE INDEX photos_by_${column} ON photos (visibility, ${column}, id)`,
      `CREATE INDEX photos_of_user_by_${column} ON photos (user_id, visibility, ${column}, id)`,
    ]),
    `CREATE INDEX photos_of_album ON photos (album_id, visibility, create_time, id)`,
    `CREATE INDEX photos_delete_time ON photos (delete_time) WHERE delete_time IS NOT NULL`,
    `CREATE TABLE images (
      key text PRIMARY KEY,
      photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
      kind text NOT NULL, edit_id bigint,
      extension text NOT NULL, mime text NOT NULL,
      width integer NOT NULL, height integer NOT NULL, size bigint NOT NULL,
      preview_extension text NOT NULL, full_extension text NOT NULL,
      clean_parts text,
      frames integer NOT NULL, placeholder text NOT NULL,
      create_time bigint NOT NULL, expire_time bigint)`,
    `CREATE INDEX images_photo ON images (photo_id)`,
    `CREATE INDEX images_expire_time ON images (expire_time) WHERE expire_time IS NOT NULL`,
    `CREATE TABLE edits (
      id ${id},
      photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
      action text NOT NULL, params text NOT NULL, create_time bigint NOT NULL)`,
    `CREATE INDEX edits_photo ON edits (photo_id, id)`,
    `CREATE TABLE photo_tags (
      photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
      position integer NOT NULL,
      name text NOT NULL, name_key ${sortedText} NOT NULL,
      user_id bigint NOT NULL, visibility integer NOT NULL, create_time bigint NOT NULL,
      PRIMARY KEY (photo_id, name_key))`,
    `CREATE INDEX photo_tags_by_create_time ON photo_tags (name_key, visibility, create_time, photo_id)`,
    `CREATE INDEX photo_tags_of_user ON photo_tags (name_key, user_id, visibility, create_time, photo_id)`,
    ...['likes', 'favorites'].flatMap((table) => [
      `CREATE TABLE ${table} (
        photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        create_time bigint NOT NULL,
        PRIMARY KEY (photo_id, user_id))`,
      `CREATE INDEX ${table}_user ON ${table} (user_id, create_time, photo_id)`,
    ]),
    `CREATE TABLE shares (
      id ${id},
      token text NOT NULL,
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      type text NOT NULL,
      photo_id bigint REFERENCES photos (id) ON DELETE CASCADE,
      album_id bigint REFERENCES albums (id) ON DELETE CASCADE,
      password_hash text NOT NULL,
      expire_time bigint, views bigint NOT NULL, create_time bigint NOT NULL)`,
    `CREATE UNIQUE INDEX shares_token ON shares (token)`,
    `CREATE INDEX shares_user ON shares (user_id, id)`,
    `CREATE INDEX shares_photo ON shares (photo_id)`,
    `CREATE INDEX shares_album ON shares (album_id)`,
    `CREATE TABLE photo_totals (
      user_id bigint NOT NULL, visibility integer NOT NULL, n bigint NOT NULL,
      PRIMARY KEY (user_id, visibility))`,
    `CREATE TABLE removals (object text PRIMARY KEY, due_time bigint NOT NULL)`,
    `CREATE INDEX removals_due_time ON removals (due_time)`,
  ];
  await runAll(kysely, statements);
  await database.search.createTables(kysely);
};
