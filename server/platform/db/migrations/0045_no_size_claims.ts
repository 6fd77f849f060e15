/** Drops the table in which processes told each other which size they were making. */
import { runAll, type Up } from './up.ts';

export const up: Up = (_, kysely) => runAll(kysely, ['DROP TABLE size_claims']);
