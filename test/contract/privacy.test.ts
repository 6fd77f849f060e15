/**
 * Tests the privacy walk: a photo becomes public, visible to members, hidden, trashed and restored. After each step,
 * every role looks for the photo in every API response that could show it.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { startGallery } from '../support/harness.ts';
import { ownEndpoints } from './steps/own-endpoints.ts';
import { makeScene, mentions, type Role, roles, type Scene, type State } from './steps/privacy.ts';
import { asPhoto, exempt, places } from './steps/privacy-places.ts';
import { createSteps, testStep } from './steps/privacy-walk.ts';

/** PostgreSQL runs the same queries, so there the walk looks once at each kind of rule that hides a photo. */
const stepsOnPostgres = [
  'for members by its own level',
  'hidden by its album',
  'hidden by the album above',
  'trashed',
];

describe('the privacy walk', () => {
  let scene: Scene;

  before(async () => {
    scene = await makeScene(await startGallery());
  });
  after(() => scene.gallery.close());

  test('the privacy walk covers every GET endpoint of the contract', () => {
    const contract = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
    const elsewhere = ownEndpoints('testPlaces');
    for (const [path, methods] of Object.entries<object>(contract.paths)) {
      if (!('get' in methods)) continue;
      const isKnown = places.some(({ endpoint }) => endpoint === path) || elsewhere.includes(path);
      const isExempt = exempt.some(([pattern]) => pattern.test(path));
      assert.ok(
        isKnown !== isExempt,
        `${path}: look for the photo in it by testPlaces, or enter it in test/contract/steps/privacy-places.ts`,
      );
    }
    for (const { endpoint } of places) assert.ok(contract.paths[endpoint]?.get, `${endpoint} is gone`);
  });

  for (const step of createSteps(() => scene)) {
    const isLooked = process.env.TEST_DATABASE !== 'postgres' || stepsOnPostgres.includes(step[0]);
    testStep(() => scene, isLooked ? places : [], step);

    const [name, state] = step;
    test(`${name}: counts agree with the items that are shown`, async () => {
      for (const role of roles) await assertCountsAgree(role);
    });

    if (state === 'public') continue;
    test(`${name}: a refused action reveals nothing of the object to the user`, async () => {
      const others = (['stranger', 'member', 'fan'] as const).filter((role) => !asPhoto(state, role));
      for (const role of others) await assertToldNothing(role, state);
    });
  }

  async function assertToldNothing(role: Role, state: State): Promise<void> {
    const who = scene.people[role];
    const { photo, album, comment } = scene;
    const ids = [photo];
    const attempts: [string, object][] = [
      [`/api/photos/${photo}/like`, {}],
      [`/api/photos/${photo}/favorite`, {}],
      [`/api/photos/${photo}/comments`, { content: 'Still there?' }],
      [`/api/photos/${photo}/share`, { type: 'link' }],
      [`/api/photos/${photo}/restore`, {}],
      [`/api/photos/${photo}/revert`, {}],
      [`/api/comments/${comment}/like`, {}],
      [`/api/albums/${album}/photos`, { ids }],
      ['/api/reports', { target_type: 'photo', target_id: photo, reason: 'other' }],
      ['/api/photos/batch', { ids, action: 'tag', tags: ['mine'] }],
      ['/api/photos/batch', { ids, action: 'publish' }],
    ];
    // The fan may remove a like or a favorite of a hidden photo: see test/contract/own-texts.test.ts.
    const isOwn = (path: string) =>
      role === 'fan' && state === 'hidden' && /photos\/\d+\/(like|favorite)$/.test(path);
    for (const [path, body] of attempts.filter(([path]) => !isOwn(path))) {
      const answer = await who.post(path, body);
      const failed = answer.body.data?.failed;
      assert.ok(answer.status >= 400 || failed?.length === 1, `${role} ${path}: ${answer.bytes}`);
      assert.ok(!mentions(scene, answer), `${role} ${path}: ${answer.bytes}`);
    }
  }

  /** Asserts that counts which list no photos agree with what the role can see. */
  async function assertCountsAgree(role: Role): Promise<void> {
    const who = scene.people[role];
    const { id } = scene.people.owner;
    const data = async (path: string) => (await who.get(path)).body.data;
    const { list } = await data(`/api/users/${id}/photos?limit=100`);
    const { stats } = await data(`/api/users/${id}`);
    const { list: albums } = await data(`/api/users/${id}/albums`);
    assert.equal(stats.photos, list.length, `${role}: photos of the home page`);
    assert.equal(stats.albums, albums.length, `${role}: albums of the home page`);
    const likes = list.reduce((sum: number, photo: { likes: number }) => sum + photo.likes, 0);
    assert.equal(stats.likes, likes, `${role}: likes of the home page`);
    for (const album of albums) {
      const inside: { effective_visibility: string }[] = (await data(`/api/albums/${album.id}/photos`)).list;
      const { photo_count } = await data(`/api/albums/${album.id}`);
      assert.equal(photo_count, inside.length, `${role}: photo_count of the opened album`);
      // Lists show an admin the count of a member, and the opened album shows an admin all photos.
      const listed = inside.filter((photo) => role !== 'admin' || photo.effective_visibility !== 'private');
      assert.equal(album.photo_count, listed.length, `${role}: photo_count in a list`);
    }
    const { list: tags } = await data('/api/tags?limit=100');
    for (const { name, count } of tags) {
      const tagged = await data(`/api/photos?tag=${name}`);
      assert.equal(count, tagged.list.length, `${role}: count of ${name}`);
    }
  }

  test('the server logged no error during these tests', () =>
    assert.deepEqual(scene.gallery.complaints(), []));
});
