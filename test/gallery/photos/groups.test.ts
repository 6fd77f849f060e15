/**
 * GET /api/timeline and /api/facets are exact for each viewer after any change, from stored counts as well as
 * from counted rows.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { asListed, asPhoto } from '../../contract/steps/privacy-places.ts';
import { testPlaces } from '../../contract/steps/privacy-walk.ts';
import { readers } from '../../contract/steps/rights.ts';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type CheckedGallery, startCheckedGallery } from '../../support/checked-gallery.ts';
import type { Gallery } from '../../support/harness.ts';
import {
  type Answer,
  addAlbum,
  addPhoto,
  asVisitor,
  type Person,
  registerAdmin,
} from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

testRights([
  { endpoint: 'GET /api/timeline', codes: readers, ask: (who) => who.get('/api/timeline') },
  { endpoint: 'GET /api/facets', codes: readers, ask: (who) => who.get('/api/facets') },
]);

const hasMonth = (_: unknown, { body }: Answer) => body.data.list.length > 0;

testPlaces([
  {
    endpoint: '/api/timeline',
    path: ({ tag }) => `/api/timeline?tag=${tag}`,
    shows: asListed,
    found: hasMonth,
  },
  {
    endpoint: '/api/timeline',
    path: ({ title }) => `/api/timeline?by=create_time&q=${title}`,
    shows: asListed,
    found: hasMonth,
  },
  { endpoint: '/api/facets', path: () => '/api/facets', shows: asListed },
  { endpoint: '/api/facets', path: ({ title }) => `/api/facets?q=${title}`, shows: asListed },
  { endpoint: '/api/facets', path: ({ smart }) => `/api/facets?album_id=${smart}`, shows: asPhoto },
  {
    endpoint: '/api/timeline',
    path: ({ smart, title }) => `/api/timeline?album_id=${smart}&q=${title}`,
    shows: asPhoto,
    found: hasMonth,
  },
]);

describe('months and facets', () => {
  let checked: CheckedGallery;
  let gallery: Gallery;
  let owner: Person;
  let admin: Person;

  before(async () => {
    checked = await startCheckedGallery();
    ({ gallery, owner } = checked);
    admin = await registerAdmin(gallery, 'root');
  });
  after(() => gallery.close());

  /**
   * Compares stored counts with counted rows. A filter that every photo passes makes the server count rows.
   */
  async function both(who: Person, path: string) {
    const kept = assertRead(await who.get(path));
    const counted = assertRead(await who.get(`${path}${path.includes('?') ? '&' : '?'}q=size:%3E0`));
    assert.deepEqual(sorted(kept), sorted(counted), path);
    return kept;
  }

  async function assertAlike(): Promise<void> {
    for (const who of [asVisitor(gallery), owner, checked.friend, admin]) {
      const { total } = assertRead(await who.get('/api/photos')).pagination;
      for (const path of ['/api/timeline', '/api/timeline?by=create_time']) {
        const { list } = await both(who, path);
        assert.equal(
          list.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
          total,
        );
      }
      await both(who, `/api/timeline?user_id=${owner.id}`);
      await both(who, '/api/facets');
      await both(who, `/api/facets?user_id=${owner.id}`);
    }
    await checked.assertClean();
  }

  test('months and facets follow added, edited, hidden, trashed, restored, moved and deleted photos', async () => {
    await assertAlike();
    const album = await addAlbum(owner, 'Hidden soon');
    const picture = await createJpeg({ width: 60, height: 20 });
    const { id } = await addPhoto(owner, { tags: 'x,y', album_id: String(album) }, picture);
    await assertAlike();
    const ratio = async () => assertRead(await owner.get(`/api/timeline?album_id=${album}`)).list[0]?.ratio;
    assert.equal(await ratio(), 3);
    assertWritten(await owner.post(`/api/photos/${id}/edit`, { action: 'rotate', params: { angle: 90 } }));
    assert.equal(await ratio(), 0.333);
    await assertAlike();
    assertWritten(await owner.post(`/api/photos/${id}/revert`));
    await assertAlike();
    const count = async (who: Person) =>
      assertRead(await who.get('/api/facets')).tags.find(({ name }: { name: string }) => name === 'x')?.count;
    const viewers = [asVisitor(gallery), checked.friend, admin, owner];
    for (const [visibility, counts] of [
      ['private', [undefined, undefined, undefined, 1]],
      ['members', [undefined, 1, 1, 1]],
      ['public', [1, 1, 1, 1]],
    ] as const) {
      assertWritten(await owner.put(`/api/albums/${album}`, { visibility }));
      await assertAlike();
      assertDone(await owner.put(`/api/photos/${id}`, { visibility }));
      await assertAlike();
      assert.deepEqual(await Promise.all(viewers.map(count)), counts, visibility);
    }
    assertDone(await owner.delete(`/api/photos/${id}`));
    await assertAlike();
    assertDone(await owner.post(`/api/photos/${id}/restore`));
    assertDone(await owner.put(`/api/photos/${id}`, { album_id: null }));
    await assertAlike();
    assertDone(await owner.delete(`/api/photos/${id}`));
    assertDone(await owner.delete(`/api/trash/${id}`));
    await assertAlike();
  });

  test('the check finds and repairs a wrong count of months and facets', async () => {
    await sql`UPDATE photo_groups SET n = n + 1 WHERE kind = 'taken' AND user_id = ${owner.id}`.execute(
      gallery.deps.db.kysely,
    );
    await checked.assertRepairs('total-drifted');
    await assertAlike();
  });

  test('months and facets refuse the same input as lists', async () => {
    for (const path of ['/api/timeline', '/api/facets']) {
      assertRefused(await owner.get(`${path}?q=iso:abc&tag=${'a'.repeat(51)}`), 400, 400, ['q', 'tag']);
      assertRefused(await owner.get(`${path}?album_id=999999`), 404, 30001);
      assertRefused(await asVisitor(gallery).get(`${path}?is_public=0`), 401, 401);
    }
    assertRefused(await owner.get('/api/timeline?by=views'), 400, 400, ['by']);
    assert.deepEqual(assertRead(await owner.get('/api/timeline?user_id=999999')), { list: [] });
  });
});

/** Sorts the values, because the databases order equal counts differently. */
function sorted(data: Record<string, unknown[]>) {
  const texts = (list: unknown[]) => list.map((item) => JSON.stringify(item)).sort();
  return Object.fromEntries(Object.entries(data).map(([name, list]) => [name, texts(list)]));
}
