/** Adds the rate limit of an API key, which an admin sets. Null means that the limit of the settings applies. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_database, kysely) =>
  runAll(kysely, ['ALTER TABLE api_keys ADD COLUMN rate_limit integer']);
