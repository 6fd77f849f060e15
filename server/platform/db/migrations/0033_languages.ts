/** The language that an account last signed in with: mail to its owner is in it, whoever it tells of. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_database, kysely) =>
  runAll(kysely, [`ALTER TABLE users ADD COLUMN language text NOT NULL DEFAULT ''`]);
