/** Sizes on demand: which of them an image has, and who makes one. Row types: platform/db/tables-images.ts. */
import { runAll, type Up } from './up.ts';

export const up: Up = async (_, kysely) =>
  runAll(kysely, [
    'ALTER TABLE images ADD COLUMN sizes integer NOT NULL DEFAULT 0',
    'CREATE TABLE size_claims (object text PRIMARY KEY, until_time bigint NOT NULL)',
  ]);
