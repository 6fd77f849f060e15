/** What lists and details tell beside what they did: lens, focal length, location, the preview's format. */
import { sql } from 'kysely';
import { runAll, type Up } from './up.ts';

/** The years 1 to 9999, which is what answers can write. */
const earliest = -62_135_596_800;
const latest = 253_402_300_799;

export const up: Up = async (_, kysely) => {
  await runAll(kysely, [
    `ALTER TABLE photos ADD COLUMN lens text NOT NULL DEFAULT ''`,
    `ALTER TABLE photos ADD COLUMN focal_length double precision NOT NULL DEFAULT 0`,
    `ALTER TABLE photos ADD COLUMN latitude double precision`,
    `ALTER TABLE photos ADD COLUMN longitude double precision`,
    // A copy of the column of the image that is shown, so that lists need not look it up.
    `ALTER TABLE photos ADD COLUMN preview_extension text NOT NULL DEFAULT 'jpg'`,
    `UPDATE photos SET preview_extension = (SELECT images.preview_extension FROM images WHERE key = image_key)
      WHERE image_key IN (SELECT key FROM images WHERE images.preview_extension <> 'jpg')`,
    `UPDATE photos SET taken_time = ${earliest} WHERE taken_time < ${earliest}`,
    `UPDATE photos SET taken_time = ${latest} WHERE taken_time > ${latest}`,
  ]);
  // The Exif of photos up to this id has not been read for lens and location: tools/upkeep/exif does.
  await sql`INSERT INTO settings (name, value)
    SELECT 'exif unread', CAST(max(id) AS text) FROM photos HAVING max(id) IS NOT NULL`.execute(kysely);
};
