/**
 * Tests one action on many photos: the server does what is possible, names the rest, and does nothing twice.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';

describe('a batch', () => {
  let gallery: Gallery;
  let owner: Person;
  let other: Person;
  let admin: Person;
  let ids: number[];
  let theirs: number;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    other = await register(gallery, 'other');
    admin = await registerAdmin(gallery, 'admin');
    ids = [];
    for (let n = 0; n < 3; n++) ids.push((await addPhoto(owner, { title: `photo ${n}`, tags: 'old' })).id);
    theirs = (await addPhoto(other, { title: 'theirs' })).id;
  });
  after(() => gallery?.close());

  const batch = async (who: Person, body: object) => assertWritten(await who.post('/api/photos/batch', body));
  const toCodes = ({ id, code }: { id: number; code: number }) => [id, code];
  const photo = async (id: number, who = owner) => assertRead(await who.get(`/api/photos/${id}`));
  const seen = async (who: Person, query = '') =>
    assertRead(await who.get(`/api/photos?limit=100&${query}`))
      .list.map(({ id }: { id: number }) => id)
      .sort((a: number, b: number) => a - b);

  test('a batch hides and publishes photos', async () => {
    assert.deepEqual(await batch(owner, { ids, action: 'hide' }), { success: ids, failed: [] });
    assert.deepEqual(await seen(other), [theirs]);
    assert.deepEqual((await batch(owner, { ids: [ids[2], ids[0]], action: 'publish' })).success, [
      ids[2],
      ids[0],
    ]);
    assert.deepEqual(await seen(asVisitor(gallery)), [ids[0], ids[2], theirs]);
    const { success, failed } = await batch(admin, { ids, action: 'publish' });
    assert.deepEqual([success, failed.map(toCodes)], [[ids[0], ids[2]], [[ids[1], 20004]]]);
    assert.equal((await photo(ids[1]!)).is_public, 0);
    await batch(owner, { ids, action: 'publish' });
    assert.equal((await photo(ids[1]!)).is_public, 1);
  });

  test('gives a level, and shows photos to more people for their owner alone', async () => {
    const give = (who: Person, visibility: string) => batch(who, { ids, action: 'visibility', visibility });
    assert.deepEqual(await give(admin, 'members'), { success: ids, failed: [] });
    assert.deepEqual(await seen(asVisitor(gallery)), [theirs]);
    assert.deepEqual(await seen(other), [...ids, theirs]);
    for (const action of ['publish', 'visibility']) {
      const { success, failed } = await batch(admin, { ids, action, visibility: 'public' });
      assert.deepEqual([success, failed.map(toCodes)], [[], ids.map((id) => [id, 20004])], action);
    }
    // Hiding also makes photos for members private.
    assert.deepEqual(await batch(owner, { ids, action: 'hide' }), { success: ids, failed: [] });
    assert.deepEqual((await photo(ids[0]!)).visibility, 'private');
    assert.deepEqual(await seen(other), [theirs]);
    assert.equal((await give(admin, 'members')).failed.length, ids.length);
    for (const visibility of ['members', 'public']) {
      assert.deepEqual((await give(owner, visibility)).success, ids);
      assert.deepEqual((await photo(ids[1]!)).visibility, visibility);
    }
    assert.deepEqual(
      (await give(other, 'private')).failed.map(toCodes),
      ids.map((id) => [id, 20004]),
    );
    assert.deepEqual(await seen(asVisitor(gallery)), [...ids, theirs]);
  });

  test('names what failed, does the rest, and each only once', async () => {
    const { success, failed } = await batch(owner, {
      ids: [ids[0], theirs, 999999, ids[0], ids[1], theirs],
      action: 'tag',
      tags: ['alps'],
    });
    assert.deepEqual(success, [ids[0], ids[1]]);
    assert.deepEqual(failed.map(toCodes), [
      [theirs, 20004],
      [999999, 20003],
    ]);
    for (const { message } of failed) assert.match(message, /\w/);
    assert.deepEqual((await photo(theirs, other)).tags, []);
  });

  test('a batch adds tags to the existing tags, and removes tags in any case', async () => {
    await batch(owner, { ids, action: 'tag', tags: [' ALPS ', 'Winter', 'winter'] });
    assert.deepEqual((await photo(ids[0]!)).tags, ['old', 'alps', 'Winter']);
    assert.deepEqual((await photo(ids[2]!)).tags, ['old', 'ALPS', 'Winter']);
    assert.deepEqual(await seen(asVisitor(gallery), 'tag=winter'), ids);
    await batch(owner, { ids, action: 'untag', tags: ['Alps', 'OLD', 'never'] });
    for (const id of ids) assert.deepEqual((await photo(id)).tags, ['Winter']);
    assert.deepEqual(await seen(asVisitor(gallery), 'tag=alps'), []);
    const many = Array.from({ length: 30 }, (_, n) => `tag ${n}`);
    const { success, failed } = await batch(owner, { ids: [ids[0]], action: 'tag', tags: many });
    assert.deepEqual([success, failed[0].code], [[], 400]);
    assert.equal(failed[0].message, 'tags: Must not have more than 30 tags');
    assert.deepEqual((await photo(ids[0]!)).tags, ['Winter']);
  });

  test('a batch moves photos into an album of the same owner and out of the album', async () => {
    const [album, foreign] = [await addAlbum(owner, 'Alps'), await addAlbum(other, 'Sea')];
    assert.deepEqual((await batch(owner, { ids, action: 'move', album_id: album })).success, ids);
    assert.deepEqual(await seen(asVisitor(gallery), `album_id=${album}`), ids);
    const refused = await batch(owner, { ids: [ids[0]], action: 'move', album_id: foreign });
    assert.deepEqual([refused.success, refused.failed[0].code], [[], 30002]);
    const none = await batch(owner, { ids: [ids[0]], action: 'move', album_id: 999999 });
    assert.equal(none.failed[0].code, 30001);
    await batch(owner, { ids: [ids[0]], action: 'move', album_id: null });
    await batch(owner, { ids: [ids[1]], action: 'move', album_id: 0 });
    assert.deepEqual(await seen(asVisitor(gallery), `album_id=${album}`), [ids[2]]);
  });

  test('a batch moves photos to the trash and restores the photos', async () => {
    const { success, failed } = await batch(owner, { ids: [...ids, theirs], action: 'delete' });
    assert.deepEqual([success, failed[0].code], [ids, 20004]);
    assert.deepEqual(await seen(owner), [theirs]);
    assert.equal((await batch(owner, { ids, action: 'delete' })).failed.length, 3);
    assert.equal((await batch(other, { ids, action: 'restore' })).failed[0].code, 20003);
    assert.deepEqual((await batch(owner, { ids: [...ids, theirs], action: 'restore' })).success, ids);
    assert.deepEqual(await seen(asVisitor(gallery)), [...ids, theirs]);
    assert.deepEqual((await photo(ids[1]!)).tags, ['Winter']);
  });

  test('a batch permanently deletes photos in the trash and no others', async () => {
    const trashed = (await addPhoto(owner, { title: 'to be gone' })).id;
    await batch(owner, { ids: [trashed], action: 'delete' });
    const byOther = await batch(other, { ids: [trashed], action: 'purge' });
    assert.deepEqual([byOther.success, byOther.failed[0].code], [[], 20003]);
    const { success, failed } = await batch(owner, { ids: [trashed, ids[0], theirs], action: 'purge' });
    assert.deepEqual(success, [trashed]);
    assert.deepEqual(
      failed.map(({ id, code, message }: { id: number; code: number; message: string }) => [
        id,
        code,
        message,
      ]),
      [
        [ids[0], 20003, 'The photo is not in the trash'],
        [theirs, 20004, 'You do not have the right to act on this photo'],
      ],
    );
    assert.equal(assertRead(await owner.get('/api/trash')).pagination.total, 0);
    assert.equal((await batch(owner, { ids: [trashed], action: 'restore' })).failed[0].code, 20003);
    assert.deepEqual(await seen(asVisitor(gallery)), [...ids, theirs]);
  });

  test('two simultaneous batches leave each photo in the state of one batch', async () => {
    const answers = await Promise.all([
      batch(owner, { ids, action: 'delete' }),
      batch(owner, { ids: [...ids].reverse(), action: 'delete' }),
      batch(owner, { ids, action: 'tag', tags: ['raced'] }),
    ]);
    const deleted = answers.slice(0, 2).flatMap(({ success }) => success);
    assert.deepEqual(deleted.sort(), ids);
    assert.equal(assertRead(await asVisitor(gallery).get('/api/photos')).pagination.total, 1);
    await batch(owner, { ids, action: 'restore' });
  });

  test('refuses an invalid batch as a whole', async () => {
    const refused = async (body: object, ...fields: string[]) =>
      assertRefused(await owner.post('/api/photos/batch', body), 400, 400, fields);
    await refused({ ids: [], action: 'delete' }, 'ids');
    await refused({ ids: Array.from({ length: 101 }, (_, n) => n + 1), action: 'delete' }, 'ids');
    await refused({ ids, action: 'burn' }, 'action');
    await refused({ action: 'delete' }, 'ids');
    await refused({ ids, action: 'move' }, 'album_id');
    await refused({ ids, action: 'visibility' }, 'visibility');
    await refused({ ids, action: 'visibility', visibility: 'everyone' }, 'visibility');
    await refused({ ids, action: 'tag' }, 'tags');
    await refused({ ids, action: 'untag', tags: [' '] }, 'tags');
    await refused({ ids, action: 'tag', tags: ['x'.repeat(51)] }, 'tags');
    assertRefused(await asVisitor(gallery).post('/api/photos/batch', { ids, action: 'delete' }), 401, 401);
    assert.deepEqual(await seen(asVisitor(gallery)), [...ids, theirs]);
    assertRefused(await owner.get('/api/photos/batch'), 405, 405);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));

  test('a batch sets a title, a description, or both', async () => {
    const describeAll = (text: object) => batch(owner, { ids, action: 'describe', ...text });
    assert.deepEqual((await describeAll({ title: 'Alps', description: 'In March' })).success, ids);
    assert.deepEqual((await describeAll({ description: '' })).success, ids);
    for (const id of ids) {
      const { title, description } = await photo(id);
      assert.deepEqual([title, description], ['Alps', '']);
    }
    assert.deepEqual(await seen(owner, 'keyword=alps'), ids);
    const empty = await owner.post('/api/photos/batch', { ids, action: 'describe' });
    assertRefused(empty, 400, 400, ['title', 'description']);
    const { failed } = await batch(other, { ids: [ids[0]], action: 'describe', title: 'Mine' });
    assert.deepEqual([failed[0].code, (await photo(ids[0]!)).title], [20004, 'Alps']);
  });

  test('a batch sets favorites of the caller only, and can be repeated', async () => {
    for (let n = 0; n < 2; n++) {
      assert.deepEqual((await batch(other, { ids, action: 'favorite' })).success, ids);
      for (const id of ids) {
        const { favorites, is_favorited } = await photo(id, other);
        assert.deepEqual([favorites, is_favorited], [1, true]);
        assert.equal((await photo(id)).is_favorited, false);
      }
    }
    await batch(other, { ids: ids.slice(1), action: 'unfavorite' });
    const { list } = assertRead(await other.get(`/api/users/${other.id}/favorites`));
    assert.deepEqual(
      list.map(({ id }: { id: number }) => id),
      [ids[0]],
    );
    const hidden = (await addPhoto(owner, { is_public: '0' })).id;
    const both = { ids: [hidden, ids[0]] };
    const refused = await batch(other, { ...both, action: 'favorite' });
    assert.deepEqual([refused.success, refused.failed[0].code], [[ids[0]], 20004]);
    const { success, failed } = await batch(other, { ...both, action: 'unfavorite' });
    assert.deepEqual([success, failed], [both.ids, []]);
  });
});
