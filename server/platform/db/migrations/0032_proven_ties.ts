/** A challenge of the second step may come from the OpenID provider: whom the account is tied to once it is passed. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_database, kysely) =>
  runAll(kysely, [
    `ALTER TABLE links ADD COLUMN issuer text NOT NULL DEFAULT ''`,
    `ALTER TABLE links ADD COLUMN subject text NOT NULL DEFAULT ''`,
  ]);
