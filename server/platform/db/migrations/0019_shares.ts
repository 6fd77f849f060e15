/** What a share allows, and how often it was used. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_, kysely) =>
  runAll(kysely, [
    'ALTER TABLE shares ADD COLUMN allow_download integer NOT NULL DEFAULT 1',
    'ALTER TABLE shares ADD COLUMN max_views bigint',
    'ALTER TABLE shares ADD COLUMN downloads bigint NOT NULL DEFAULT 0',
    'ALTER TABLE shares ADD COLUMN last_view_time bigint',
  ]);
