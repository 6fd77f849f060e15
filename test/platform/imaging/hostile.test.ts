/** Refuses bombs before decoding them. `test/gallery/photos/corpus-bad.test.ts` uploads all hostile files of the corpus. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cleanParts } from '../../../server/platform/imaging/clean/clean.ts';
import { ImageError } from '../../../server/platform/imaging/errors.ts';
import { renderUpload } from '../../../server/platform/imaging/render/render.ts';
import { type CorpusFile, corpus, withoutCorpus } from './corpus.ts';
import { sourceOf } from './pictures.ts';

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
      // The fastest of three counts: other work slows a processor down for a moment.
      const fastest = ms < 100 ? ms : Math.min(ms, await refusalMs(file), await refusalMs(file));
      assert.ok(fastest < 100, `${file.path} took ${fastest} ms`);
    }
  });
});

/** CPU time of all threads: what other programs do on the machine at the same time does not count. */
async function refusalMs(file: CorpusFile): Promise<number> {
  const start = process.cpuUsage();
  await assert.rejects(upload(file), ImageError, file.path);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Takes the steps of an upload. */
async function upload({ file }: CorpusFile): Promise<void> {
  const source = await sourceOf(file);
  const { format, orientation } = source.inspection;
  const clean = await cleanParts(file, format, orientation);
  await renderUpload(source, { full: clean === null });
}
