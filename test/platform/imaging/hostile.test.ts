/**
 * Tests that decompression bombs are refused before decoding. `test/gallery/photos/corpus-bad.test.ts`
 * uploads all hostile files of the corpus.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ImageError } from '../../../server/platform/imaging/errors.ts';
import { type CorpusFile, corpus, withoutCorpus } from './corpus.ts';
import { inspect } from './pictures.ts';

suite('every hostile file of the corpus', { skip: withoutCorpus }, () => {
  test('is refused within 100 ms of CPU where it is a bomb', async () => {
    const bombs = corpus.filter(({ expected }) =>
      /refuse before full decode|over the pixel limit/.test(expected),
    );
    assert.ok(bombs.length > 10);
    for (const file of bombs) {
      const before = process.memoryUsage().rss;
      const ms = await refusalMs(file);
      assert.ok(process.memoryUsage().rss - before < 50e6, file.path);
      // Takes the fastest of three measurements, because other work slows down the processor for moments.
      const fastest = ms < 100 ? ms : Math.min(ms, await refusalMs(file), await refusalMs(file));
      assert.ok(fastest < 100, `${file.path} took ${fastest} ms`);
    }
  });
});

/** Returns the CPU milliseconds of all threads, which do not depend on other programs on the machine. */
async function refusalMs(file: CorpusFile): Promise<number> {
  const start = process.cpuUsage();
  await assert.rejects(upload(file), ImageError, file.path);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Runs the checks that an upload passes before a worker decodes it. */
async function upload({ file }: CorpusFile): Promise<void> {
  await inspect(file);
}
