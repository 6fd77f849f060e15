import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseUnavailable, logLevelFor } from '../../../server/platform/db/dialect.ts';
import { StorageFull, StorageUnavailable } from '../../../server/platform/errors/storage.ts';

test('a failure that passes by itself is a warning in the log, any other is an error', () => {
  assert.equal(logLevelFor(new DatabaseUnavailable(new Error('terminated'))), 'warn');
  assert.equal(logLevelFor(new StorageUnavailable(new Error('no answer'), 10)), 'warn');
  assert.equal(logLevelFor(new StorageFull(new Error('ENOSPC'))), 'error');
  assert.equal(logLevelFor(new TypeError('undefined is no function')), 'error');
});
