import assert from 'node:assert/strict';
import { ImageError } from '../../../../server/platform/imaging/errors.ts';
import { readStructure } from '../../../../server/platform/imaging/structure/read.ts';
import { sharp } from '../../../../server/platform/imaging/worker/sharp.ts';
import { readThreadMs } from '../../../support/thread-time.ts';

/** A walk takes milliseconds; on a slow machine with a cold program, some more. */
const maxMs = 300;

/** Asserts that the walk refuses a file at once which a decoder would open. */
export async function assertRefused(file: string, words: RegExp, isReadable = true): Promise<void> {
  const start = readThreadMs();
  await assert.rejects(readStructure(file), (error: unknown) => {
    assert.ok(error instanceof ImageError, String((error as Error).stack));
    assert.match(`${error.message} ${error.cause ?? ''}`, words);
    return true;
  });
  assert.ok(readThreadMs() - start < maxMs, `${readThreadMs() - start} ms`);
  if (isReadable) assert.ok((await sharp(file).metadata()).width > 0, 'the decoder opens it');
}
