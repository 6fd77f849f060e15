/** A challenge of the second step that came from the OpenID provider knows whether that calls the person an admin. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_database, kysely) =>
  runAll(kysely, ['ALTER TABLE links ADD COLUMN is_admin integer']);
