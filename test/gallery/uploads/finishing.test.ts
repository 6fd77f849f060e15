/**
 * Tests several uploads that receive their last bytes at once: the number of files that the server assembles
 * in parallel is limited.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { sendChunk, startUpload } from '../../support/uploads.ts';

/** Number of uploads of one user that the server finishes in parallel, the same as for uploads by form. */
const atOnce = 8;
const count = 12;
const waitMs = 60_000;

describe('last bytes of many uploads of one user', () => {
  let gallery: Gallery;
  let owner: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
  });
  after(() => gallery.close());

  /** Blocks reads of pieces until the returned `release` is called. */
  function holdPieces(): { readonly held: number; release(): void } {
    const { storage } = gallery.deps;
    const read = storage.open;
    const { promise, resolve } = Promise.withResolvers<void>();
    let held = 0;
    storage.open = async (name, ...rest) => {
      if (name.includes('.piece.')) {
        held++;
        await promise;
      }
      return read(name, ...rest);
    };
    return {
      get held() {
        return held;
      },
      release() {
        storage.open = read;
        resolve();
      },
    };
  }

  test('put together as many files as one user may send, and the others after them', async () => {
    const picture = await createJpeg({ width: 60, height: 40 });
    const end = picture.length - 1;
    const paths: string[] = [];
    for (let n = 0; n < count; n++) {
      const path = await startUpload(owner, picture.length);
      assert.equal((await sendChunk(owner, path, 0, picture.subarray(0, end))).status, 204);
      paths.push(path);
    }
    const pieces = holdPieces();
    const last = Promise.all(paths.map((path) => sendChunk(owner, path, end, picture.subarray(end))));
    try {
      await eventually(async () => {
        assert.deepEqual([pieces.held, gallery.shared.uploads.waiting], [atOnce, count - atOnce]);
      }, waitMs);
    } finally {
      pieces.release();
    }
    for (const { status, bytes } of await last) assert.equal(status, 200, bytes.toString());
    const { pagination } = assertRead(await owner.get('/api/photos'));
    assert.equal(pagination.total, count);
    assert.deepEqual([gallery.shared.uploads.running, gallery.shared.uploads.waiting], [0, 0]);
    assert.deepEqual(gallery.complaints(), []);
  });
});
