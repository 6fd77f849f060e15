/** Tests whom a picture worker blames for an error: the picture, its memory, the system, or our own code. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { toWorkerFailure } from '../../../server/platform/imaging/worker/failures.ts';

const systemError = (code: string) => Object.assign(new Error(code), { code, syscall: 'write' });

suite('an error in a picture worker', () => {
  const errors: [error: unknown, blamed: string][] = [
    [new Error('VipsJpeg: premature end of JPEG image'), 'refused'],
    [new Error('unable to allocate memory'), 'memory'],
    [new TypeError('x is not a function'), 'mistake'],
    [systemError('ENOSPC'), 'system'],
    [new Error('unix error: Input/output error'), 'system'],
    [new Error('input: unable to open for read: Too many open files'), 'system'],
    // A file beyond the worker's limit is too large a picture.
    [systemError('EFBIG'), 'refused'],
  ];
  for (const [error, blamed] of errors) {
    test(`named "${(error as Error).message}" is blamed on: ${blamed}`, () => {
      assert.ok(blamed in toWorkerFailure(error), JSON.stringify(toWorkerFailure(error)));
    });
  }
});
