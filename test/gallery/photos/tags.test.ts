/** Tag counts are exact for each viewer after any change to the photos. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  addAlbum,
  addPhoto,
  asVisitor,
  type Person,
  register,
  registerAdmin,
  retryUntilServed,
} from '../../support/people.ts';

describe('tags', () => {
  let gallery: Gallery;
  let owner: Person;
  let other: Person;
  let admin: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    other = await register(gallery, 'other');
    admin = await registerAdmin(gallery, 'admin');
  });
  after(() => gallery?.close());

  const readTags = async (who: Person, query = ''): Promise<Record<string, number>> => {
    const { list, pagination } = assertRead(await who.get(`/api/tags?limit=100&${query}`));
    assert.equal(pagination.total, list.length);
    return Object.fromEntries(list.map(({ name, count }: { name: string; count: number }) => [name, count]));
  };
  const visitors = () => [asVisitor(gallery), owner, other, admin];

  /** Asserts the tag counts by counting rows, which the server never does. */
  async function assertExact(): Promise<void> {
    const rows = await gallery.deps.db.kysely.selectFrom('photo_tags').selectAll().execute();
    for (const who of visitors()) {
      const expected: Record<string, number> = {};
      for (const { name_key, visibility, user_id } of rows) {
        const isOwn = user_id === who.id;
        const isSeen = visibility === 2 || (visibility === 3 && who.id > 0) || (visibility === 1 && isOwn);
        if (isSeen) expected[name_key] = (expected[name_key] ?? 0) + 1;
      }
      const found = Object.entries(await readTags(who)).map(([name, n]) => [name.toLowerCase(), n]);
      assert.deepEqual(Object.fromEntries(found), expected, who.name);
    }
    const empty = await gallery.deps.db.kysely
      .selectFrom('tag_totals')
      .select('name')
      .where('n', '<', 1)
      .execute();
    assert.deepEqual(empty, []);
  }

  test('splits the tags of an upload at commas of any script and at line breaks', async () => {
    const { id } = await addPhoto(other, { tags: 'a,b，c、d\r\ne f' });
    assert.deepEqual(assertRead(await other.get(`/api/photos/${id}`)).tags, ['a', 'b', 'c', 'd', 'e f']);
    assertDone(await other.delete(`/api/photos/${id}`));
  });

  test('lists tags of equal use as people count, in upper and lower case alike', async () => {
    const names = ['Day 2', 'day 10', 'Day 9', 'day 1', 'Day 100', 'éclair 3', 'Eclair 12'];
    const sorted = ['day 1', 'Day 2', 'Day 9', 'day 10', 'Day 100', 'éclair 3', 'Eclair 12'];
    const made = [
      await addPhoto(other, { tags: names.slice(0, 4).join() }),
      await addPhoto(owner, { tags: names.slice(4).join(), visibility: 'members' }),
    ];
    assert.deepEqual(Object.keys(await readTags(asVisitor(gallery))), sorted.slice(0, 4));
    for (const who of [owner, other]) assert.deepEqual(Object.keys(await readTags(who)), sorted, who.name);
    const pages = [1, 2, 3, 4].map((page) => other.get(`/api/tags?limit=2&page=${page}`));
    const listed = (await Promise.all(pages)).flatMap((answer) => assertRead(answer).list);
    assert.deepEqual(
      listed.map(({ name }: { name: string }) => name),
      sorted,
    );
    for (const [place, { id }] of made.entries())
      assertDone(await [other, owner][place]!.delete(`/api/photos/${id}`));
  });

  test('counts tags for each viewer', async () => {
    assert.deepEqual(await readTags(owner), {});
    const a = await addPhoto(owner, { tags: 'Alps, winter' });
    const b = await addPhoto(owner, { tags: 'alps, secret', is_public: '0' });
    await addPhoto(other, { tags: 'ALPS, Summer' });
    assert.deepEqual(await readTags(asVisitor(gallery)), { Alps: 2, winter: 1, Summer: 1 });
    assert.deepEqual(await readTags(other), { Alps: 2, winter: 1, Summer: 1 });
    assert.deepEqual(await readTags(owner), { Alps: 3, winter: 1, secret: 1, Summer: 1 });
    assert.deepEqual(await readTags(admin), { Alps: 2, winter: 1, Summer: 1 });
    await assertExact();
    assertDone(await owner.put(`/api/photos/${b.id}`, { visibility: 'members' }));
    assert.deepEqual(await readTags(asVisitor(gallery)), { Alps: 2, winter: 1, Summer: 1 });
    for (const who of [owner, other, admin]) {
      assert.deepEqual(await readTags(who), { Alps: 3, winter: 1, secret: 1, Summer: 1 }, who.name);
    }
    await assertExact();
    assertDone(await owner.put(`/api/photos/${b.id}`, { is_public: 1 }));
    assert.deepEqual(await readTags(asVisitor(gallery)), { Alps: 3, winter: 1, secret: 1, Summer: 1 });
    assertDone(await owner.put(`/api/photos/${b.id}`, { is_public: 0, tags: ['secret', 'new'] }));
    assert.deepEqual(await readTags(other), { Alps: 2, winter: 1, Summer: 1 });
    await assertExact();
    for (const { id } of [a, b]) assertDone(await owner.delete(`/api/photos/${id}`));
    assert.deepEqual(await readTags(owner), { Alps: 1, Summer: 1 }, 'nothing of the trash');
    assertDone(await owner.post(`/api/photos/${a.id}/restore`));
    await assertExact();
    assertDone(await owner.delete(`/api/trash/${b.id}`));
    await assertExact();
    assert.deepEqual(await readTags(owner), { Alps: 2, Summer: 1, winter: 1 });
  });

  test('lists tags page by page, the most used tags first, and finds tags by a part of the name', async () => {
    const names = async (query: string, who = asVisitor(gallery)) =>
      assertRead(await who.get(`/api/tags?${query}`)).list.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names(''), ['Alps', 'Summer', 'winter']);
    assert.deepEqual(await names('limit=1&page=2'), ['Summer']);
    assert.deepEqual(await names('limit=2&page=2', owner), ['winter']);
    assert.deepEqual(await names('page=9'), []);
    assert.deepEqual(await names('keyword=NTE'), ['winter']);
    assert.deepEqual(await names('keyword=mM'), ['Summer']);
    for (const keyword of ['%25', '_', 'secret', "'", '\\'])
      assert.deepEqual(await names(`keyword=${keyword}`), []);
    assertRefused(await owner.get(`/api/tags?keyword=${'x'.repeat(51)}`), 400, 400, ['keyword']);
    const paged = assertRead(await owner.get('/api/tags?limit=2'));
    assert.deepEqual([paged.pagination.total, paged.pagination.pages], [3, 2]);
  });

  test('the spelling of a tag on a private photo stays private', async () => {
    await addPhoto(owner, { tags: 'CoDeNaMe', is_public: '0' });
    await addPhoto(other, { tags: 'codename' });
    assert.equal((await readTags(other)).codename, 1);
    assert.equal((await readTags(owner)).codename, 2);
    const answer = await asVisitor(gallery).get('/api/tags');
    assert.doesNotMatch(answer.bytes.toString(), /CoDeNaMe/);
    // A spelling among photos for members is no private one, but anonymous visitors do not see it either.
    await addPhoto(owner, { tags: 'ClubName', visibility: 'members' });
    await addPhoto(other, { tags: 'clubname' });
    assert.deepEqual(
      [await readTags(other), await readTags(asVisitor(gallery))].map(({ clubname }) => clubname),
      [2, 1],
    );
  });

  test('tag counts follow an album that is hidden', async () => {
    const album = await addAlbum(owner, 'Trip');
    for (let n = 0; n < 3; n++) await addPhoto(owner, { tags: 'trip, boat', album_id: String(album) });
    assert.equal((await readTags(asVisitor(gallery))).trip, 3);
    assertWritten(await owner.put(`/api/albums/${album}`, { is_public: 0 }));
    assert.equal((await readTags(asVisitor(gallery))).trip, undefined);
    assert.equal((await readTags(owner)).trip, 3);
    await assertExact();
    assertWritten(await owner.put(`/api/albums/${album}`, { visibility: 'members' }));
    assert.equal((await readTags(asVisitor(gallery))).trip, undefined);
    assert.equal((await readTags(other)).trip, 3);
    await assertExact();
  });

  test('are exact after uploads, changes and deletions of many at once', async () => {
    const levels = ['private', 'members', 'public'];
    const sets = ['x, y, z', 'z, y, x', 'y, w', 'w, x'];
    const photos = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        addPhoto([owner, other][n % 2]!, { tags: sets[n % 4]!, visibility: levels[n % 3]! }),
      ),
    );
    const answers = await Promise.all(
      photos.flatMap(({ id }, n) => {
        const who = [owner, other][n % 2]!;
        const reversed = { tags: sets[(n + 1) % 4]!.split(', ').reverse() };
        const shown = { visibility: levels[(n + 1) % 3]!, tags: sets[(n + 2) % 4]!.split(', ') };
        const trash = () => retryUntilServed(() => who.delete(`/api/photos/${id}`));
        return [
          retryUntilServed(() => who.put(`/api/photos/${id}`, reversed)),
          // An admin cannot show the photo to more people than its level does at that moment.
          retryUntilServed(() => admin.put(`/api/photos/${id}`, { visibility: levels[n % 2] })).then(
            (answer) => (answer.body.code === 20004 && n % 2 === 1 ? undefined : answer),
          ),
          retryUntilServed(() => who.put(`/api/photos/${id}`, shown)),
          ...(n % 3 === 0 ? [trash(), retryUntilServed(() => who.post(`/api/photos/${id}/restore`))] : []),
          ...(n % 4 === 0 ? [trash(), retryUntilServed(() => who.delete(`/api/trash/${id}`))] : []),
          addPhoto(who, { tags: sets[n % 4]! }).then(() => undefined),
        ];
      }),
    );
    for (const answer of answers) {
      if (answer) assert.ok([0, 20003].includes(answer.body.code), answer.bytes.toString());
    }
    await assertExact();
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
