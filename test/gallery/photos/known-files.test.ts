/** POST /api/photos/known tells a client which files the caller already has, and nothing about other people. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { signedIn } from '../../contract/steps/rights.ts';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertDone, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

const unknown = '0'.repeat(64);

testRights([
  {
    endpoint: 'POST /api/photos/known',
    codes: signedIn,
    ask: (who) => who.post('/api/photos/known', { sha256: [unknown] }),
  },
]);

describe('files that a user has', () => {
  let gallery: Gallery;
  let owner: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
  });
  after(() => gallery.close());

  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const ask = async (who: Person, ...sha256: string[]) =>
    assertWritten(await who.post('/api/photos/known', { sha256 })).list;

  test('finds the oldest photo of each file, also in the trash, and no unknown file', async () => {
    const [one, two, three] = await Promise.all(
      [301, 302, 303].map((width) => createJpeg({ width, height: 200 })),
    );
    const first = await addPhoto(owner, {}, one);
    await addPhoto(owner, {}, one);
    const trashed = await addPhoto(owner, {}, two);
    assertDone(await owner.delete(`/api/photos/${trashed.id}`));
    const both = [await addPhoto(owner, {}, three), await addPhoto(owner, {}, three)];
    assertDone(await owner.delete(`/api/photos/${both[0]!.id}`));
    const list = await ask(owner, hash(one!), hash(two!).toUpperCase(), hash(three!), unknown, hash(one!));
    const byId = new Map(list.map((item: { sha256: string }) => [item.sha256, item]));
    assert.equal(list.length, 3);
    assert.deepEqual(byId.get(hash(one!)), {
      sha256: hash(one!),
      photo_id: first.id,
      trashed_id: null,
      has_sidecar: false,
    });
    assert.deepEqual(byId.get(hash(two!)), {
      sha256: hash(two!),
      photo_id: null,
      trashed_id: trashed.id,
      has_sidecar: false,
    });
    const { photo_id, trashed_id } = byId.get(hash(three!)) as { photo_id: number; trashed_id: number };
    assert.deepEqual([photo_id, trashed_id], [both[1]!.id, both[0]!.id]);
  });

  test('says nothing about the files of other people, also to an admin', async () => {
    const bytes = await createJpeg({ width: 310, height: 200 });
    await addPhoto(owner, { visibility: 'public' }, bytes);
    const others = [await register(gallery, 'other'), await registerAdmin(gallery, 'root')];
    for (const who of others) assert.deepEqual(await ask(who, hash(bytes)), []);
  });

  test('refuses what is no checksum, and more than 500 of them', async () => {
    for (const sha256 of [
      [],
      ['x'],
      [unknown.slice(1)],
      [`${unknown}0`],
      Array(501).fill(unknown),
      'x',
      [1],
    ]) {
      const answer = await owner.post('/api/photos/known', { sha256 });
      assert.equal(answer.status, 400);
      assert.ok(Object.keys(answer.body.errors).every((name) => name.startsWith('sha256')));
    }
    assertRefused(await owner.post('/api/photos/known', {}), 400, 400, ['sha256']);
    assert.deepEqual(await ask(owner, ...Array(500).fill(unknown)), []);
  });
});
