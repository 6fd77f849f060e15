/** No table is added without saying what becomes of it when a gallery moves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bulkDatabase } from '../../../server/platform/db/index.ts';
import { treatments } from '../../../server/tools/transfer/tables.ts';
import { createScope, otherHome, serve } from './homes.ts';

test('every table has its treatment (server/tools/transfer/tables.ts)', async () => {
  const scope = createScope();
  try {
    const home = await otherHome(scope);
    await (await serve(home)).close();
    const reader = await (await bulkDatabase({ dataDir: home.dataDir, url: home.databaseUrl })).reader();
    scope.after(() => reader.close());
    const tables = (await reader.tables()).map(({ name }) => name);
    assert.ok(tables.includes('photos'));
    assert.deepEqual(
      tables.filter((name) => !(name in treatments)),
      [],
    );
    // Most of these are those of one database alone, and two are found in galleries of earlier versions.
    const names = new Set([...tables, 'photo_texts', 'size_claims', 'kysely_migration_lock']);
    assert.deepEqual(
      Object.keys(treatments).filter((name) => !names.has(name)),
      [],
    );
  } finally {
    await scope.end();
  }
});
