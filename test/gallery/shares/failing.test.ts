/**
 * Tests downloads through share links while the storage fails or is slow, or the client disconnects: counted
 * downloads and sent bytes.
 */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, afterEach, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '../../../server/platform/storage/storage.ts';
import { assertDone, assertRefused } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createNoise } from '../../support/pictures.ts';
import { createRequestHead, openSocket } from '../../support/raw.ts';
import { type CreatedShare, download, listed, privateFields, share, sharePrivate } from './steps.ts';

let gallery: Gallery;
let olga: Person;
let album: number;
let open: Storage['open'];

before(async () => {
  gallery = await startGallery();
  olga = await register(gallery, 'olga');
  album = await addAlbum(olga, 'Trip', { isPublic: false });
  await addPhoto(olga, { title: 'One', album_id: String(album), ...privateFields }, await createNoise(200));
  ({ open } = gallery.deps.storage);
});
afterEach(() => {
  gallery.deps.storage.open = open;
});
after(() => gallery?.close());

async function shareAlbum(more: object = {}): Promise<CreatedShare> {
  const { data } = (await olga.post(`/api/albums/${album}/share`, { type: 'link', ...more })).body;
  return { ...data, token: data.url.split('/').at(-1) };
}

async function readFigures({ id }: CreatedShare) {
  const { views, downloads } = await listed(olga, id);
  return { views, downloads };
}

const fails: Storage['open'] = async () => {
  throw new Error('the storage fails');
};

const breaksOff: Storage['open'] = async () =>
  new Readable({
    read() {
      this.destroy(new Error('the storage breaks off'));
    },
  });

const sharePhoto = (more: object) => sharePrivate(olga, more);

const cases: [string, (more: object) => Promise<CreatedShare>, Record<string, Storage['open']>][] = [
  ['a photo', sharePhoto, { 'opens no file': fails, 'breaks off before the first byte': breaksOff }],
  // A ZIP has already sent the name of its first file when the file breaks off, so that case is left out.
  ['an album', shareAlbum, { 'opens no file': fails }],
];

/** Headers of a file response, which an error response must not have. */
const fileCases = ['content-disposition', 'etag', 'content-range', 'accept-ranges'];

for (const [kind, make, faults] of cases) {
  suite(`a download of a link to ${kind}`, () => {
    for (const [what, fault] of Object.entries(faults)) {
      test(`takes no view, and is none, where the storage ${what}`, async () => {
        const made = await make({ max_views: 1 });
        gallery.deps.storage.open = fault;
        const ranged = { headers: { range: 'bytes=0-9' } };
        const path = `/api/shares/${made.token}/download`;
        for (const options of [{}, ranged]) {
          const answer = await asVisitor(gallery).send('GET', path, options);
          assertRefused(answer, 500, 500);
          const said = fileCases.filter((name) => answer.headers.has(name));
          assert.deepEqual(said, [], 'an error has nothing of the file');
          await eventually(async () => assert.deepEqual(await readFigures(made), { views: 0, downloads: 0 }));
        }
        gallery.deps.storage.open = open;
        assert.equal((await download(gallery, made.token)).status, 200);
        await eventually(async () => assert.deepEqual(await readFigures(made), { views: 1, downloads: 1 }));
      });
    }

    test('is one, and takes its view, where the storage breaks off later', async () => {
      const made = await make({ max_views: 1 });
      gallery.deps.storage.open = async () => Readable.from(brokenOff());
      await assert.rejects(download(gallery, made.token));
      await eventually(async () => assert.deepEqual(await readFigures(made), { views: 1, downloads: 1 }));
      assertRefused(await download(gallery, made.token), 404, 20007);
    });

    test('counts no view for a client that leaves before anything is sent', async () => {
      const made = await make({ max_views: 1000 });
      const path = `/api/shares/${made.token}/download`;
      const held = Promise.withResolvers<void>();
      let asked = 0;
      gallery.deps.storage.open = async (...args) => {
        asked++;
        await held.promise;
        return open(...args);
      };
      const sockets = Array.from({ length: 2 }, () => openSocket(gallery));
      for (const socket of sockets) socket.write(createRequestHead('GET', path, {}));
      await eventually(async () => assert.equal(asked, sockets.length));
      for (const socket of sockets) socket.resetAndDestroy();
      await pause(50);
      held.resolve();
      await eventually(async () => assert.deepEqual(await readFigures(made), { views: 0, downloads: 0 }));
      await eventually(async () => assert.equal(gallery.shared.streams.running, 0));
    });
  });
}

test('a photo whose file is shorter than it was ends, and does not wait for the rest', async () => {
  const made = await sharePrivate(olga);
  gallery.deps.storage.open = async () => Readable.from([]);
  assertRefused(await download(gallery, made.token), 500, 500);
  gallery.deps.storage.open = async () => Readable.from([Buffer.alloc(10)]);
  await assert.rejects(download(gallery, made.token));
});

async function* brokenOff() {
  yield Buffer.alloc(10);
  await pause(20);
  throw new Error('the storage breaks off');
}

const changes: Record<string, [(made: CreatedShare) => Promise<unknown>, number, number]> = {
  'is revoked': [async ({ id }) => assertDone(await olga.delete(`/api/shares/${id}`)), 404, 20007],
  'loses its downloads': [({ id }) => olga.put(`/api/shares/${id}`, { allow_download: false }), 403, 403],
  'gets a password': [({ id }) => olga.put(`/api/shares/${id}`, { password: 'blue heron' }), 403, 20008],
};

for (const [what, [change, status, code]] of Object.entries(changes)) {
  test(`a photo whose link ${what} while the storage opens it is not sent`, async () => {
    const made = await share(olga, (await addPhoto(olga, privateFields, await createNoise(200))).id);
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let given: Readable | undefined;
    gallery.deps.storage.open = async (...args) => {
      asked.resolve();
      await held.promise;
      given = await open(...args);
      return given;
    };
    const answer = download(gallery, made.token);
    await asked.promise;
    await change(made);
    held.resolve();
    assertRefused(await answer, status, code);
    assert.ok(given?.destroyed, 'its descriptor is closed');
  });
}
