import assert from 'node:assert/strict';
import { ImageError } from '../../../../server/platform/imaging/errors.ts';
import { readPictureStructure } from '../../../../server/platform/imaging/structure/read.ts';
import { sharp } from '../../../../server/platform/imaging/worker/sharp.ts';
import { readThreadMs } from '../../../support/thread-time.ts';

/**
 * Maximum CPU milliseconds: reading a structure takes a few, and more on a slow machine with a cold program.
 */
const maxMs = 300;

/** Asserts that the structure reader quickly refuses a file that a decoder would open. */
export async function assertRefused(file: string, words: RegExp, isReadable = true): Promise<void> {
  const start = readThreadMs();
  await assert.rejects(readPictureStructure(file), (error: unknown) => {
    assert.ok(error instanceof ImageError, String((error as Error).stack));
    assert.match(`${error.message} ${error.cause ?? ''}`, words);
    return true;
  });
  assert.ok(readThreadMs() - start < maxMs, `${readThreadMs() - start} ms`);
  if (isReadable) assert.ok((await sharp(file).metadata()).width > 0, 'the decoder opens it');
}
