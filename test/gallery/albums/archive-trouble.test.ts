/**
 * Tests downloads of an album as ZIP: clients that disconnect or pause, photos that are deleted, and files
 * that are lost.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { countDescriptors, eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, logIn, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpeg, createNoise } from '../../support/pictures.ts';
import { unzip } from '../../support/zip.ts';

/**
 * Number and bytes of photos that together exceed the socket buffers, so that a client which does not read
 * stops the archive.
 */
const count = 8;
const padding = 5_000_000;
const timeoutMs = 30_000;

describe("an album's ZIP under way", () => {
  let gallery: Gallery;
  let owner: Person;
  let album: number;
  let file: Buffer;
  /** An album whose photos are as large for other users, who get copies without metadata. */
  let noisy: { album: number; ids: number[] };

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    // Random bytes after the picture's end make the original large without work for the decoder.
    file = Buffer.concat([await createJpeg(), randomBytes(padding)]);
    ({ album } = await addLarge());
    noisy = await addLarge(await createNoise());
  });
  after(() => gallery.close());

  /** Creates a separate album for tests that delete photos. */
  async function addLarge(content = file) {
    const album = await addAlbum(owner, 'Large');
    const ids: number[] = [];
    for (let n = 1; n <= count; n++) {
      ids.push((await addPhoto(owner, { title: `photo ${n}`, album_id: String(album) }, content)).id);
    }
    return { album, ids };
  }

  /** Starts a download and reads only the beginning of the response. */
  function begin(from = album, who = owner): Promise<IncomingMessage> {
    return beginAt(`/api/albums/${from}/download`, { authorization: `Bearer ${who.token}` });
  }

  async function beginAt(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
    const request = get(gallery.url + path, { headers, agent: false });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => {});
    assert.equal(answer.statusCode, 200);
    await once(answer, 'readable');
    return answer;
  }

  /** Resolves when this many archives can be started. */
  function placesAreFree(places: number): Promise<void> {
    return eventually(async () => {
      const leave: (() => void)[] = [];
      try {
        for (let n = 0; n < places; n++) leave.push(gallery.shared.archives.acquire(`u${owner.id}`));
      } catch {
        assert.fail('a place is still taken');
      } finally {
        for (const go of leave) go();
      }
    }, timeoutMs);
  }

  test("an album's ZIP waits for a slow client and continues when the client reads on", async () => {
    const answer = await begin();
    const { files } = await unzip(await buffer(answer));
    assert.equal(files.size, count);
    for (const content of files.values()) assert.ok(content.equals(file));
    await placesAreFree(2);
  });

  test("an album's ZIP leaves nothing open when its client disconnects", async () => {
    const open = await countDescriptors();
    for (let round = 0; round < 5; round++) {
      const answers = [await begin(), await begin()];
      for (const answer of answers) answer.destroy();
      await placesAreFree(2);
    }
    await eventually(async () => assert.ok((await countDescriptors())! <= open!), timeoutMs);
  });

  test('refuses a ZIP with 503 while accounts of one address use all places of the address', async () => {
    const { archivesPerAddress } = gallery.shared;
    // Takes the places of other accounts at the same IP address.
    const leave = Array.from({ length: 6 }, () => archivesPerAddress.acquire('127.0.0.1'));
    assertRefused(await owner.get(`/api/albums/${album}/download`), 503, 503);
    archivesPerAddress.acquire('192.0.2.7')();
    leave.pop()!();
    const answer = await begin();
    answer.destroy();
    for (const go of leave) go();
    await placesAreFree(2);
    await eventually(async () => {
      const all = Array.from({ length: 6 }, () => archivesPerAddress.acquire('127.0.0.1'));
      for (const go of all) go();
    }, timeoutMs);
    assert.match(gallery.complaints().splice(0).join(), /too many archives/i);
  });

  test("an album's ZIP omits photos that were hidden, trashed or removed since its start", async () => {
    const { album, ids } = await addLarge();
    const stranger = await register(gallery, 'watcher');
    const answer = await begin(album);
    await owner.delete(`/api/photos/${ids[count - 1]}`);
    await owner.send('DELETE', `/api/albums/${album}/photos`, {
      body: JSON.stringify({ ids: [ids[count - 2]] }),
      headers: { 'content-type': 'application/json' },
    });
    const names = [...(await unzip(await buffer(answer))).files.keys()];
    assert.deepEqual(
      names,
      Array.from({ length: count - 2 }, (_, n) => `photo ${n + 1}.jpg`),
    );
    const theirs = await stranger.get(`/api/albums/${album}/download`);
    assert.deepEqual([...(await unzip(theirs.bytes)).files.keys()], names);
  });

  test("an album's ZIP breaks off when a file is missing, so that it cannot look complete", async () => {
    const { album, ids } = await addLarge();
    const { image_key } = await gallery.deps.db.kysely
      .selectFrom('photos')
      .select('image_key')
      .where('id', '=', ids[3]!)
      .executeTakeFirstOrThrow();
    await gallery.deps.storage.remove(`${image_key}.original.jpg`);
    const answer = await begin(album);
    await assert.rejects(buffer(answer), { code: 'ECONNRESET' });
    await placesAreFree(2);
    assert.match(gallery.complaints().splice(0).join(), new RegExp(`photo ${ids[3]} is missing`));
  });

  test("an album's ZIP breaks off when its reader signs out or is disabled", async () => {
    const admin = await registerAdmin(gallery, 'admin');
    for (const [name, end] of [
      ['leaver', (who: Person) => who.post('/api/auth/logout')],
      ['troublemaker', (who: Person) => admin.put(`/api/admin/users/${who.id}`, { status: 0 })],
    ] as const) {
      const who = await register(gallery, name);
      const answer = await begin(noisy.album, who);
      assert.equal((await end(who)).status, 200);
      await assert.rejects(buffer(answer), { code: 'ECONNRESET' }, name);
    }
  });

  test('the ZIP of a selection breaks off when its session ends, and not with another session', async () => {
    const who = await register(gallery, 'chooser');
    const other = await logIn(gallery, who);
    const choose = async () => {
      const { url } = assertWritten(await who.post('/api/photos/archive', { ids: noisy.ids }));
      return new URL(url).pathname;
    };
    const [whole, broken] = [await beginAt(await choose(), {}), await beginAt(await choose(), {})];
    assertDone(await other.post('/api/auth/logout'));
    assert.equal((await unzip(await buffer(whole))).files.size, count);
    assertDone(await who.post('/api/auth/logout'));
    await assert.rejects(buffer(broken), { code: 'ECONNRESET' });
  });

  test("an album's ZIP omits private photos of others when its reader is no longer an admin", async () => {
    const [admin, other] = [await registerAdmin(gallery, 'chief'), await registerAdmin(gallery, 'deputy')];
    for (const id of noisy.ids.slice(-2)) await owner.put(`/api/photos/${id}`, { is_public: 0 });
    const answer = await begin(noisy.album, other);
    assert.equal((await admin.put(`/api/admin/users/${other.id}`, { is_admin: false })).status, 200);
    const { files } = await unzip(await buffer(answer));
    assert.equal(files.size, count - 2);
  });

  test("refuses a third simultaneous ZIP of one user with 429, and no other user's ZIP", async () => {
    const other = await register(gallery, 'other');
    const answers = [await begin(), await begin()];
    const refused = await owner.get(`/api/albums/${album}/download`);
    assertRefused(refused, 429, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal(refused.headers.get('content-disposition'), null);
    assert.equal((await other.get(`/api/albums/${album}/download`)).status, 200);
    for (const answer of answers) answer.destroy();
    await placesAreFree(2);
    assert.equal((await owner.send('HEAD', `/api/albums/${album}/download`)).status, 200);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
