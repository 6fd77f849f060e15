/** Photos that somebody is about to download together: gallery/albums/archive/selection.ts. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_, kysely) =>
  runAll(kysely, [
    `CREATE TABLE selections (
      token_hash text PRIMARY KEY,
      user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      ids text NOT NULL, kind text NOT NULL, expire_time bigint NOT NULL)`,
    'CREATE INDEX selections_user ON selections (user_id)',
    'CREATE INDEX selections_expiry ON selections (expire_time)',
  ]);
