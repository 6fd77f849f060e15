/** The session or API key by which a selection was made: its link ends with it. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_, kysely) =>
  runAll(kysely, [
    'ALTER TABLE selections ADD COLUMN session_id bigint',
    'ALTER TABLE selections ADD COLUMN key_id bigint',
  ]);
