/**
 * Creates the table of what the files of photos say, and adds the rating of photos. Files of existing photos count as
 * unread, so that a background job reads them (`docs/adr/0059-corrections.md`).
 */
import { runAll, type Up } from './up.ts';

export const up: Up = async (_, kysely) => {
  await runAll(kysely, [
    'ALTER TABLE photos ADD COLUMN rating integer NOT NULL DEFAULT 0',
    'CREATE INDEX photos_of_user_by_rating ON photos (user_id, visibility, rating, id)',
    `CREATE TABLE photo_metadata (
      photo_id bigint PRIMARY KEY REFERENCES photos (id) ON DELETE CASCADE,
      reader integer NOT NULL DEFAULT 0, taken_time bigint, time_offset integer,
      latitude double precision, longitude double precision, rating integer NOT NULL DEFAULT 0,
      title text NOT NULL DEFAULT '', description text NOT NULL DEFAULT '', tags text NOT NULL DEFAULT '[]',
      facts text NOT NULL DEFAULT '{}', corrected text NOT NULL DEFAULT '[]')`,
    'INSERT INTO photo_metadata (photo_id) SELECT id FROM photos ORDER BY id',
    'CREATE INDEX photo_metadata_by_reader ON photo_metadata (reader, photo_id)',
  ]);
};
