/** Runs `lightwell check` like an operator, also while the gallery is in use. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type CheckedGallery, startCheckedGallery } from '../../support/checked-gallery.ts';
import { runLightwell, runLightwellProcess } from '../../support/command.ts';
import type { Gallery } from '../../support/harness.ts';
import { addPhoto, type Person } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

let gallery: CheckedGallery['gallery'];
let owner: CheckedGallery['owner'];
let friend: CheckedGallery['friend'];
let check: CheckedGallery['check'];
let assertClean: CheckedGallery['assertClean'];
let objectOf: CheckedGallery['objectOf'];

before(async () => {
  ({ gallery, owner, friend, check, assertClean, objectOf } = await startCheckedGallery());
});
after(() => gallery.close());

describe('the command', () => {
  test('ends with 0 when all is well, 1 when it is not, and 2 when it could not be checked', async () => {
    const sound = await runLightwellProcess(gallery, ['check']);
    assert.deepEqual([sound.code, sound.out], [0, 'No problems found.\n'], sound.error);

    await gallery.deps.storage.remove(await objectOf('thumb', 'original'));
    const found = await runLightwellProcess(gallery, ['check', '--fast']);
    assert.equal(found.code, 1);
    assert.match(found.out, /^a rendition is missing: [0-9a-f]{32}\.thumb\.webp \(photo \d+.*\)$/m);
    assert.match(found.out, /Nothing was changed/);

    const repaired = await runLightwell(gallery, ['check', '--repair', '--json']);
    assert.equal(repaired.code, 0, repaired.error);
    const [finding, summary] = repaired.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual([finding.kind, finding.repaired], ['rendition-missing', true]);
    assert.deepEqual(summary, { found: { 'rendition-missing': 1 }, repaired: 1, left: 0 });
    assert.match(repaired.error, /"repaired"/, 'each repair is logged');
    await assertClean();

    const elsewhere = { deps: { config: { dataDir: '/dev/null/nowhere' } } } as unknown as Gallery;
    const unknown = await runLightwellProcess(elsewhere, ['check']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.error, /^error: there is no gallery in \/dev\/null/);
    assert.equal((await runLightwellProcess(gallery, ['check', '--jobs', '0'])).code, 1);
  });
});

describe('while the gallery is used', () => {
  test('reports no finding for rows that come and go meanwhile', async () => {
    let isOver = false;
    const picture = await createJpeg({ width: 64, height: 64 });
    const use = async (person: Person) => {
      while (!isOver) {
        const { id } = await addPhoto(person, { tags: 'busy, sea', title: 'Busy' }, picture);
        await owner.post(`/api/photos/${id}/like`);
        await friend.post(`/api/photos/${id}/comments`, { content: 'Quick' });
        await person.put(`/api/photos/${id}`, { is_public: 0, tags: ['other'] });
        await person.post(`/api/photos/${id}/edit`, { action: 'rotate', params: { angle: 90 } });
        await person.delete(`/api/photos/${id}`);
        await person.delete(`/api/trash/${id}`);
      }
    };
    const working = Promise.all([use(owner), use(friend)]);
    try {
      for (let round = 0; round < 5; round++) {
        assert.deepEqual((await check({ isRepair: round % 2 === 1 })).findings, []);
      }
    } finally {
      isOver = true;
      await working;
    }
  });
});
