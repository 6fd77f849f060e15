/**
 * Creates the schema of the first forty migrations at once. This file never changes; later migrations change the
 * schema. Column types of both databases differ only in name. All other differences are in `baseline/sqlite.ts` and
 * `baseline/postgres.ts`.
 */
import { accounts } from './baseline/accounts.ts';
import { people } from './baseline/people.ts';
import { photos } from './baseline/photos.ts';
import { postgres } from './baseline/postgres.ts';
import { sqlite } from './baseline/sqlite.ts';
import { columnTypes, runAll, type Up } from './up.ts';

export const up: Up = async ({ name }, transaction) => {
  const types = columnTypes[name];
  const tables = [accounts(types), photos(types, name), people(types)];
  await runAll(
    transaction,
    tables.flatMap((text) => text.split(/;$/m)).filter((statement) => statement.trim()),
  );
  await runAll(transaction, name === 'sqlite' ? sqlite : postgres);
};
