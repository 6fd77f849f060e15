/** Every table must have a rule for moves of a gallery. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bulkDatabase } from '../../../server/platform/db/index.ts';
import { tableTreatments } from '../../../server/tools/transfer/tables.ts';
import { createScope, otherHome, serve } from './gallery-locations.ts';

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
      tables.filter((name) => !(name in tableTreatments)),
      [],
    );
    const ofEarlierVersions = [
      'list_changes',
      'list_generations',
      'list_marks',
      'search_moves',
      'size_claims',
      'tag_moves',
    ];
    // `photo_texts` exists on PostgreSQL only, and `kysely_migration_lock` in old galleries only.
    const names = new Set([...tables, ...ofEarlierVersions, 'photo_texts', 'kysely_migration_lock']);
    assert.deepEqual(
      Object.keys(tableTreatments).filter((name) => !names.has(name)),
      [],
    );
  } finally {
    await scope.end();
  }
});
