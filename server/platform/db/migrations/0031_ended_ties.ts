/** An account whose tie to the OpenID provider was ended is not tied again by its email. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_database, kysely) =>
  runAll(kysely, ['ALTER TABLE users ADD COLUMN oidc_by_hand integer NOT NULL DEFAULT 0']);
