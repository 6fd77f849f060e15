/** Adds the names of the place that the file of a photo carries. A background job reads the files again. */
import { runAll, type Up } from './up.ts';

export const up: Up = async (_, kysely) => {
  await runAll(kysely, [`ALTER TABLE photos ADD COLUMN place_names text NOT NULL DEFAULT ''`]);
};
