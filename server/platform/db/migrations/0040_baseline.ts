/**
 * The schema that the first forty migrations made, at once. It stays as it is: later migrations change it. The column
 * types of both databases differ in name only; what else differs stands in `baseline/sqlite.ts` and `postgres.ts`.
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
