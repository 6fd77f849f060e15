/**
 * Charges every image and every open upload 1,048,576 bytes for its renditions and sizes (ADR 50). Adds the bits of the
 * sizes that are larger than their original, and the bytes that an unusual `full` is charged beside. Nobody loses anything: an account over its quota only cannot upload.
 */
import { sql } from 'kysely';
import type { Up } from './up.ts';

export const up: Up = async (_, kysely) => {
  await sql`ALTER TABLE images ADD COLUMN oversized integer NOT NULL DEFAULT 0`.execute(kysely);
  await sql`ALTER TABLE images ADD COLUMN overhead bigint NOT NULL DEFAULT 0`.execute(kysely);
  await sql`UPDATE users SET used_bytes = used_bytes + 1048576 * charged.n
    FROM (SELECT user_id, sum(n) AS n FROM (
        SELECT photos.user_id, count(*) AS n
          FROM images JOIN photos ON photos.id = images.photo_id GROUP BY photos.user_id
        UNION ALL
        SELECT user_id, count(*) FROM uploads WHERE photo_id IS NULL GROUP BY user_id
      ) AS counted GROUP BY user_id) AS charged
    WHERE charged.user_id = users.id`.execute(kysely);
};
