/** Quotas count edited versions, too: what accounts use is counted anew. */
import { sql } from 'kysely';
import type { Up } from './up.ts';

export const up: Up = async (_, kysely) => {
  await sql`UPDATE users SET used_bytes = counted.n
    FROM (SELECT photos.user_id, sum(images.size) AS n
      FROM images JOIN photos ON photos.id = images.photo_id GROUP BY photos.user_id) AS counted
    WHERE counted.user_id = users.id`.execute(kysely);
};
