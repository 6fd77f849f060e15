/** Runs the example of docs/uploads.md as written, except for URL, token and file. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { assertRead } from '../../support/assert-answers.ts';
import { startGallery } from '../../support/harness.ts';
import { register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

const root = resolve(import.meta.dirname, '../../..');

test('the example in the documentation uploads a photo', async () => {
  const gallery = await startGallery();
  const folder = await mkdtemp(join(tmpdir(), 'lightwell-example-'));
  try {
    const owner = await register(gallery, 'owner');
    const picture = await createJpeg({ width: 600, height: 400 });
    await writeFile(join(folder, 'DSC_0042.jpg'), picture);
    const page = await readFile(join(root, 'docs/uploads.md'), 'utf8');
    const example = /```js\n(.*?)```/s.exec(page)![1]!;
    const program = `const token = ${JSON.stringify(owner.token)};\n${example}`
      .replace('https://photos.example.org', gallery.url)
      .replace(
        "createReadStream('DSC_0042.jpg')",
        `createReadStream(${JSON.stringify(join(folder, 'DSC_0042.jpg'))})`,
      );
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { cwd: root },
    );
    assert.equal(stderr, '');
    const { code, data } = JSON.parse(stdout);
    assert.equal(code, 0);
    const photo = assertRead(await owner.get(`/api/photos/${data.id}`));
    assert.deepEqual([photo.title, photo.tags, photo.size], ['Ridge', ['alps', 'snow'], picture.length]);
  } finally {
    await gallery.close();
    await rm(folder, { recursive: true, force: true });
  }
});
