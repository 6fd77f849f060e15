/**
 * Tests that an idle server refuses nobody: it answers all of two hundred simultaneous requests of one
 * caller.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readBuiltAssets } from '../../server/gallery/pages/built-assets.ts';
import { webBuildFolder } from '../../server/platform/http/web-build.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, type Person, register } from '../support/people.ts';

describe('two hundred requests of one caller at once', () => {
  let gallery: Gallery;
  let ann: Person;
  let photo: number;
  let album: number;

  before(async () => {
    gallery = await startGallery();
    ann = await register(gallery, 'ann');
    album = await addAlbum(ann, 'Harbour');
    photo = (await addPhoto(ann, { title: 'harbour', tags: 'boats', album_id: String(album) })).id;
  });
  after(() => gallery?.close());

  /** Sends `count` requests spread over these paths, and returns how many responses had each status. */
  async function statuses(paths: string[], headers: Record<string, string>, count: number) {
    const answers = await Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const answer = await fetch(gallery.url + paths[n % paths.length], { headers });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    return Object.groupBy(answers, (status) => status);
  }

  async function assertAnswered(paths: string[], headers: Record<string, string>, count = 200) {
    const found = await statuses(paths, headers, count);
    assert.deepEqual(
      Object.entries(found).map(([status, all]) => [status, all?.length]),
      [['200', count]],
    );
  }

  const token = () => ({ authorization: `Bearer ${ann.token}` });

  test('answers two hundred simultaneous requests of one caller for suggestions', () =>
    assertAnswered(['/api/search/suggest?keyword=bo'], token()));

  test('answers two hundred simultaneous requests of one caller for searches and lists', () =>
    assertAnswered(
      ['photos?q=harbour', 'photos?keyword=harb', 'albums', 'tags', 'facets', 'timeline'].map(
        (path) => `/api/${path}`,
      ),
      token(),
    ));

  test('answers two hundred simultaneous requests of one caller for pages', async (context) => {
    if (!readBuiltAssets(webBuildFolder)) return context.skip('the pages are not built');
    // Sends 80 requests only, because an HTML page needs more database reads than a search.
    await assertAnswered([`/photos/${photo}`, `/albums/${album}`], {}, 80);
  });

  test('two hundred simultaneous requests of one caller wait in every queue until their turn', async () => {
    const { uploads, streams, hashes } = gallery.shared;
    for (const queue of [uploads, streams, hashes]) {
      const caller = () => ({ name: 'ann', address: 'home', isRequest: true as const });
      let done = 0;
      const work = async () => void done++;
      await Promise.all(Array.from({ length: 200 }, () => queue.with(caller(), work)));
      assert.equal(done, 200);
    }
  });

  test('two hundred simultaneous requests of one caller log no warnings', () =>
    assert.deepEqual(gallery.complaints(), []));
});
