/** A client gets the same response for a storage error, whichever code hit the error. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageFull, StorageUnavailable } from '../../../server/platform/errors/storage.ts';
import { toApiError } from '../../../server/platform/http/error-handler.ts';

function answer(error: unknown) {
  const { code, status, retryAfter } = toApiError(error);
  return { code, status, retryAfter };
}

const systemError = (code: string) => Object.assign(new Error(code), { code });

test('a full storage is 507, one that is out of reach is 503 with the time to wait', () => {
  const full = { code: 507, status: 507, retryAfter: undefined };
  assert.deepEqual(answer(new StorageFull(new Error('no room'))), full);
  assert.deepEqual(answer(systemError('ENOSPC')), full);
  const away = { code: 503, status: 503, retryAfter: 10 };
  assert.deepEqual(answer(new StorageUnavailable(new Error('no answer'))), away);
  assert.deepEqual(answer(systemError('EMFILE')), away);
  assert.equal(answer(new StorageUnavailable(new Error('short'), 1)).retryAfter, 1);
  assert.equal(answer(systemError('ENOENT')).status, 500);
});
