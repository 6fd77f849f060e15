/** Tables for albums, photos, their images, their counters and uploads. */
import type { OpenedDatabase } from '../../dialect.ts';
import type { ColumnTypes } from '../up.ts';

/**
 * Foreign key from albums to photos. Photos also refer to albums, and PostgreSQL accepts this key only when both tables
 * exist.
 */
const coverKey = { sqlite: 'REFERENCES photos (id) ON DELETE SET NULL', postgres: '' };

export const photos = ({ id, sortedText }: ColumnTypes, name: OpenedDatabase['name']) => `
  CREATE TABLE albums (
    id ${id},
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL, is_public integer NOT NULL, create_time bigint NOT NULL, update_time bigint NOT NULL,
    description text NOT NULL DEFAULT '', name_key ${sortedText} NOT NULL DEFAULT '',
    search_text text NOT NULL DEFAULT '',
    parent_id bigint REFERENCES albums (id) ON DELETE SET NULL,
    cover_id bigint ${coverKey[name]},
    visibility integer NOT NULL DEFAULT 2, photo_count bigint NOT NULL DEFAULT 0,
    public_count bigint NOT NULL DEFAULT 0, next_position bigint NOT NULL DEFAULT 1, rule text);
  CREATE INDEX albums_user ON albums (user_id);
  CREATE INDEX albums_by_create_time ON albums (visibility, create_time, id);
  CREATE INDEX albums_of_user_by_create_time ON albums (user_id, visibility, create_time, id);
  CREATE INDEX albums_by_update_time ON albums (visibility, update_time, id);
  CREATE INDEX albums_of_user_by_update_time ON albums (user_id, visibility, update_time, id);
  CREATE INDEX albums_by_name_key ON albums (visibility, name_key, id);
  CREATE INDEX albums_of_user_by_name_key ON albums (user_id, visibility, name_key, id);
  CREATE INDEX albums_by_photo_count ON albums (visibility, photo_count, id);
  CREATE INDEX albums_of_user_by_photo_count ON albums (user_id, visibility, photo_count, id);
  CREATE INDEX albums_by_public_count ON albums (visibility, public_count, id);
  CREATE INDEX albums_of_user_by_public_count ON albums (user_id, visibility, public_count, id);
  CREATE INDEX albums_parent ON albums (parent_id, visibility, name_key, id);
  CREATE INDEX albums_cover ON albums (cover_id) WHERE cover_id IS NOT NULL;

  CREATE TABLE photos (
    id ${id},
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    visibility integer NOT NULL, create_time bigint NOT NULL, width integer NOT NULL, height integer NOT NULL,
    views bigint NOT NULL, likes bigint NOT NULL, favorites bigint NOT NULL, downloads bigint NOT NULL,
    image_key text NOT NULL, title text NOT NULL, placeholder text NOT NULL,
    album_id bigint REFERENCES albums (id) ON DELETE SET NULL,
    is_public integer NOT NULL, size bigint NOT NULL, update_time bigint NOT NULL, taken_time bigint NOT NULL,
    title_key ${sortedText} NOT NULL, tags text NOT NULL, camera text NOT NULL, aperture text NOT NULL,
    shutter text NOT NULL, iso bigint NOT NULL, file_name text NOT NULL, original_key text NOT NULL,
    sha256 text NOT NULL, delete_time bigint, description text NOT NULL, album_position bigint NOT NULL DEFAULT 0,
    comments bigint NOT NULL DEFAULT 0, comment_threads bigint NOT NULL DEFAULT 0, lens text NOT NULL DEFAULT '',
    focal_length double precision NOT NULL DEFAULT 0, latitude double precision, longitude double precision,
    preview_extension text NOT NULL DEFAULT 'jpg', item_version bigint NOT NULL DEFAULT 0);
  CREATE INDEX photos_of_user_by_create_time ON photos (user_id, visibility, create_time, id);
  CREATE INDEX photos_by_update_time ON photos (visibility, update_time, id);
  CREATE INDEX photos_of_user_by_update_time ON photos (user_id, visibility, update_time, id);
  CREATE INDEX photos_by_taken_time ON photos (visibility, taken_time, id);
  CREATE INDEX photos_of_user_by_taken_time ON photos (user_id, visibility, taken_time, id);
  CREATE INDEX photos_by_views ON photos (visibility, views, id);
  CREATE INDEX photos_of_user_by_views ON photos (user_id, visibility, views, id);
  CREATE INDEX photos_by_likes ON photos (visibility, likes, id);
  CREATE INDEX photos_of_user_by_likes ON photos (user_id, visibility, likes, id);
  CREATE INDEX photos_by_favorites ON photos (visibility, favorites, id);
  CREATE INDEX photos_of_user_by_favorites ON photos (user_id, visibility, favorites, id);
  CREATE INDEX photos_by_downloads ON photos (visibility, downloads, id);
  CREATE INDEX photos_of_user_by_downloads ON photos (user_id, visibility, downloads, id);
  CREATE INDEX photos_by_size ON photos (visibility, size, id);
  CREATE INDEX photos_of_user_by_size ON photos (user_id, visibility, size, id);
  CREATE INDEX photos_by_title_key ON photos (visibility, title_key, id);
  CREATE INDEX photos_of_user_by_title_key ON photos (user_id, visibility, title_key, id);
  CREATE INDEX photos_of_album ON photos (album_id, visibility, create_time, id);
  CREATE INDEX photos_delete_time ON photos (delete_time) WHERE delete_time IS NOT NULL;
  CREATE INDEX photos_of_album_by_position ON photos (album_id, visibility, album_position, id);
  CREATE INDEX photos_trash ON photos (user_id, delete_time, id) WHERE delete_time IS NOT NULL;
  CREATE INDEX photos_by_comments ON photos (visibility, comments) WHERE comments > 0;
  CREATE INDEX photos_by_create_time ON photos (visibility, create_time, id, user_id);
  CREATE INDEX photos_of_user_by_sha256 ON photos (user_id, substr(sha256, 1, 16));

  CREATE TABLE images (
    key text PRIMARY KEY,
    photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    kind text NOT NULL, edit_id bigint, extension text NOT NULL, mime text NOT NULL, width integer NOT NULL,
    height integer NOT NULL, size bigint NOT NULL, preview_extension text NOT NULL, full_extension text NOT NULL,
    clean_parts text, frames integer NOT NULL, placeholder text NOT NULL, create_time bigint NOT NULL,
    expire_time bigint, private_time bigint, sizes integer NOT NULL DEFAULT 0, oversized integer NOT NULL DEFAULT 0,
    overhead bigint NOT NULL DEFAULT 0);
  CREATE INDEX images_photo ON images (photo_id);
  CREATE INDEX images_expire_time ON images (expire_time) WHERE expire_time IS NOT NULL;
  CREATE INDEX images_originals ON images (create_time, size) WHERE kind = 'original';
  CREATE INDEX images_animated ON images (photo_id) WHERE frames > 1;
  CREATE INDEX images_other_formats ON images (extension, photo_id) WHERE kind = 'original' AND extension <> 'jpg';

  CREATE TABLE edits (
    id ${id},
    photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    action text NOT NULL, params text NOT NULL, create_time bigint NOT NULL);
  CREATE INDEX edits_photo ON edits (photo_id, id);

  CREATE TABLE photo_tags (
    photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    position integer NOT NULL, name text NOT NULL, name_key ${sortedText} NOT NULL, user_id bigint NOT NULL,
    visibility integer NOT NULL, create_time bigint NOT NULL,
    PRIMARY KEY (photo_id, name_key));
  CREATE INDEX photo_tags_by_create_time ON photo_tags (name_key, visibility, create_time, photo_id);
  CREATE INDEX photo_tags_of_user ON photo_tags (name_key, user_id, visibility, create_time, photo_id);

  CREATE TABLE tag_totals (
    user_id bigint NOT NULL, visibility integer NOT NULL, name_key ${sortedText} NOT NULL, name text NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (user_id, visibility, name_key));
  CREATE INDEX tag_totals_by_n ON tag_totals (user_id, visibility, n DESC, name_key);

  CREATE TABLE photo_totals (
    user_id bigint NOT NULL, visibility integer NOT NULL, n bigint NOT NULL,
    PRIMARY KEY (user_id, visibility));

  CREATE TABLE photo_groups (
    user_id bigint NOT NULL, visibility integer NOT NULL, kind text NOT NULL, value text NOT NULL, n bigint NOT NULL,
    ratio bigint NOT NULL,
    PRIMARY KEY (user_id, visibility, kind, value));

  CREATE TABLE gear (name text PRIMARY KEY, name_key text NOT NULL);

  CREATE TABLE search_moves (photo_id bigint PRIMARY KEY REFERENCES photos (id) ON DELETE CASCADE);

  CREATE TABLE library_moves (user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE);

  CREATE TABLE album_moves (
    album_id bigint PRIMARY KEY REFERENCES albums (id) ON DELETE CASCADE,
    ahead bigint NOT NULL, after bigint NOT NULL);

  CREATE TABLE removals (object text PRIMARY KEY, due_time bigint NOT NULL);
  CREATE INDEX removals_due_time ON removals (due_time);

  CREATE TABLE size_claims (object text PRIMARY KEY, until_time bigint NOT NULL);

  CREATE TABLE uploads (
    id text PRIMARY KEY NOT NULL,
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    size bigint NOT NULL, received bigint NOT NULL, metadata text NOT NULL, writer text NOT NULL, photo_id bigint,
    create_time bigint NOT NULL, expire_time bigint NOT NULL);
  CREATE INDEX uploads_user ON uploads (user_id);
  CREATE INDEX uploads_expiry ON uploads (expire_time);

  CREATE TABLE upload_pieces (
    object text PRIMARY KEY NOT NULL,
    upload_id text NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
    start bigint NOT NULL, size bigint NOT NULL);
  CREATE UNIQUE INDEX upload_pieces_upload ON upload_pieces (upload_id, start);

  CREATE TABLE selections (
    token_hash text PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    ids text NOT NULL, kind text NOT NULL, expire_time bigint NOT NULL, session_id bigint, key_id bigint);
  CREATE INDEX selections_user ON selections (user_id);
  CREATE INDEX selections_expiry ON selections (expire_time);
`;
