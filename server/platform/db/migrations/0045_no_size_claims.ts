/** Drops the table in which processes recorded the sizes they were rendering. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_, kysely) => runAll(kysely, ['DROP TABLE size_claims']);
