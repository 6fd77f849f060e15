/** Smart albums: those with a query, whose photos are what it finds. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_, kysely) => runAll(kysely, ['ALTER TABLE albums ADD COLUMN rule text']);
