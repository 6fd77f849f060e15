/** From when on an original that edits replaced is for its owner and admins alone. Row type: platform/db/tables.ts. */
import { sql } from 'kysely';
import type { Up } from './up.ts';

const hour = 3600;

export const up: Up = async (_, kysely) => {
  await sql`ALTER TABLE images ADD COLUMN private_time bigint`.execute(kysely);
  // The time of earlier edits is not recorded: the hour of their originals begins now.
  const privateTime = Math.floor(Date.now() / 1000) + hour;
  await sql`UPDATE images SET private_time = CAST(${privateTime} AS bigint)
    WHERE key IN (SELECT original_key FROM photos WHERE original_key <> image_key)`.execute(kysely);
};
