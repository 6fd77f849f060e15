/**
 * The privacy walk: a photo becomes public, visible to members, hidden, trashed and restored. After each step, every
 * role looks for the photo in every API response that could show it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { LevelName } from '../../../server/platform/db/states.ts';
import { startGallery } from '../../support/harness.ts';
import { findLeak, makeScene, type Role, roles, type Scene, type State } from './privacy.ts';
import { isFound, type PhotoPlace } from './privacy-places.ts';

type Step = [name: string, state: State, change: () => Promise<{ status: number }>];

/** Runs the privacy walk for the places of an endpoint that has its own test file. */
export function testPlaces(places: PhotoPlace[]): void {
  describe('the privacy walk', () => {
    let scene: Scene;

    before(async () => {
      scene = await makeScene(await startGallery());
    });
    after(() => scene.gallery.close());

    for (const step of createSteps(() => scene)) testStep(() => scene, places, step);

    test('the server logged no error during these tests', () =>
      assert.deepEqual(scene.gallery.complaints(), []));
  });
}

export function testStep(scene: () => Scene, places: PhotoPlace[], [name, state, change]: Step): void {
  test(`${name}: shows a photo in its permitted places and in no others`, async () => {
    const { status } = await change();
    assert.equal(status, 200);
    const wrong: string[] = [];
    for (const role of roles) wrong.push(...(await wrongFor(scene(), places, state, role)));
    assert.deepEqual(wrong, []);
  });
}

/**
 * Returns the steps that change the photo, in order. The scene is a function because the test creates it
 * later.
 */
export function createSteps(scene: () => Scene): Step[] {
  const steps: Step[] = [
    ['at first', 'public', () => scene().people.owner.get('/api/auth/user')],
    ['for members by its own level', 'members', () => setPhoto({ visibility: 'members' })],
    ['hidden by its own level', 'hidden', () => setPhoto({ visibility: 'private' })],
    ['shown again', 'public', () => setPhoto({ is_public: 1 })],
    ['hidden by its album', 'hidden', () => setAlbum(scene().album, 'private')],
    ['for members by its album', 'members', () => setAlbum(scene().album, 'members')],
    ['shown by its album', 'public', () => setAlbum(scene().album, 'public')],
    ['for members by the album above', 'members', () => setAlbum(scene().outer, 'members')],
    ['hidden by the album above', 'hidden', () => setAlbum(scene().outer, 'private')],
    ['trashed while hidden', 'trashed', () => scene().people.owner.delete(`/api/photos/${scene().photo}`)],
    ['restored, still hidden', 'hidden', () => restore()],
    ['shown by the album above', 'public', () => setAlbum(scene().outer, 'public')],
    ['trashed', 'trashed', () => scene().people.owner.delete(`/api/photos/${scene().photo}`)],
    ['restored', 'public', () => restore()],
  ];

  const setPhoto = (fields: object) => scene().people.owner.put(`/api/photos/${scene().photo}`, fields);
  const setAlbum = (id: number, visibility: LevelName) =>
    scene().people.owner.put(`/api/albums/${id}`, { visibility });
  const restore = () => scene().people.owner.post(`/api/photos/${scene().photo}/restore`);
  return steps;
}

async function wrongFor(scene: Scene, places: PhotoPlace[], state: State, role: Role): Promise<string[]> {
  const wrong: string[] = [];
  for (const place of places) {
    const path = place.path(scene);
    const answer = await scene.people[role].get(path);
    assert.ok(answer.status < 500, `${path}: ${answer.status}`);
    const expected = place.shows(state, role);
    const isShown = isFound(place, scene, answer);
    if (expected !== undefined && isShown !== expected) {
      wrong.push(`${role} ${isShown ? 'finds' : 'misses'} it in ${path} (${answer.status})`);
    }
    if (findLeak(scene, place.endpoint, role, answer)) {
      wrong.push(`${role} is told where it was taken, or its file's name, in ${path}`);
    }
    const { list, pagination } = answer.body.data ?? {};
    if (list && pagination && pagination.total !== list.length && !path.includes('/api/notifications')) {
      wrong.push(`${role} is told of ${pagination.total} and shown ${list.length} in ${path}`);
    }
  }
  return wrong;
}
