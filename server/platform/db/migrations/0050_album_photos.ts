/**
 * Creates the table that says which albums contain which photos, so that albums can contain photos by reference. The
 * table takes over the positions of photos, and two indexes of `photos`. Indexes for searches no longer contain the
 * album. Reasons: `docs/adr/0055-references.md`.
 */
import { runAll, type Up } from './up.ts';

const filterColumns = ['taken_time', 'create_time', 'size', 'iso', 'focal_length', 'width', 'height'];
const copied = [...filterColumns, 'camera', 'lens', 'aperture'];
const columns = (prefix = '') => copied.map((column) => prefix + column).join(', ');

const searchIndexOfPostgres = [
  'DROP TRIGGER photos_texts_follow ON photos',
  `CREATE OR REPLACE FUNCTION photo_texts_follow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE photo_texts SET (${columns()}) = (${columns('NEW.')}) WHERE photo_id = NEW.id; RETURN NULL; END $$`,
  `CREATE TRIGGER photos_texts_follow AFTER UPDATE OF ${columns()} ON photos
    FOR EACH ROW WHEN ((${columns('OLD.')}) IS DISTINCT FROM (${columns('NEW.')}))
    EXECUTE FUNCTION photo_texts_follow()`,
  'ALTER TABLE photo_texts DROP COLUMN album_id',
];

export const up: Up = async ({ name }, kysely) => {
  const isPostgres = name === 'postgres';
  await runAll(kysely, [
    `CREATE TABLE album_photos (
      album_id bigint NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
      photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
      position bigint NOT NULL, visibility integer NOT NULL, create_time bigint NOT NULL,
      added_by bigint NOT NULL, added_time bigint NOT NULL,
      PRIMARY KEY (album_id, photo_id))`,
    `INSERT INTO album_photos (album_id, photo_id, position, visibility, create_time, added_by, added_time)
      SELECT album_id, id, album_position, visibility, create_time, user_id, create_time
      FROM photos WHERE album_id IS NOT NULL ORDER BY album_id, id`,
    'CREATE INDEX album_photos_by_position ON album_photos (album_id, visibility, position, photo_id)',
    'CREATE INDEX album_photos_by_create_time ON album_photos (album_id, visibility, create_time, photo_id)',
    'CREATE INDEX album_photos_of_photo ON album_photos (photo_id, album_id)',
    'DROP INDEX photos_of_album',
    'DROP INDEX photos_of_album_by_position',
    'CREATE INDEX photos_of_main_album ON photos (album_id, visibility)',
    'ALTER TABLE photos DROP COLUMN album_position',
    'DROP INDEX photos_filter',
    `CREATE INDEX photos_filter ON photos (visibility, camera, lens, user_id, taken_time, create_time, iso, aperture,
      focal_length, size, width, height) ${isPostgres ? 'INCLUDE (id)' : ''}`,
    ...(isPostgres ? searchIndexOfPostgres : []),
  ]);
};
