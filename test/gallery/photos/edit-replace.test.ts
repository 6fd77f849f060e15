/** Tests that one request can replace the whole edit history of a photo. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

const turn = { action: 'rotate', params: { angle: 90 } };
const cut = { action: 'crop', params: { x: 0, y: 0, width: 30, height: 60 } };
const grey = { action: 'filter', params: { type: 'grayscale' } };

describe('setting all edits of a photo', () => {
  let gallery: Gallery;
  let owner: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
  });
  after(() => gallery?.close());

  const add = async () => addPhoto(owner, {}, await createJpeg({ width: 120, height: 80 }));
  const set = (id: number, steps: unknown) => owner.put(`/api/photos/${id}/edits`, { steps });
  const detail = async (id: number) => assertRead(await owner.get(`/api/photos/${id}`));
  const readSteps = async (id: number) => assertRead(await owner.get(`/api/photos/${id}/edits`)).list;
  const countVersions = async (id: number) =>
    (await gallery.deps.db.kysely.selectFrom('images').select('key').where('photo_id', '=', id).execute())
      .length;

  test('setting all edits renders once, and returns every field that a page shows', async () => {
    const { id } = await add();
    const answer = assertWritten(await set(id, [turn, cut, grey]));
    assert.deepEqual(
      Object.keys(answer),
      Object.keys(answer).filter((name) => name in answer),
    );
    const photo = await detail(id);
    for (const name of ['path', 'preview', 'image', 'thumb', 'width', 'height', 'size', 'placeholder']) {
      assert.deepEqual(answer[name], photo[name], name);
    }
    assert.deepEqual([answer.width, answer.height], [30, 60]);
    assert.equal(await countVersions(id), 2, 'the original and one version');
    const { width, height } = await sharp((await owner.get(answer.path)).bytes).metadata();
    assert.deepEqual([width, height], [30, 60]);
    const steps = await readSteps(id);
    assert.deepEqual(
      steps.map(({ action, params }: typeof turn) => ({ action, params })),
      [turn, cut, grey],
    );
    // The result must equal the result of the same edits sent one after the other.
    const other = await add();
    for (const step of [turn, cut, grey])
      assertWritten(await owner.post(`/api/photos/${other.id}/edit`, step));
    const readBytes = async (photo: number) => (await owner.get((await detail(photo)).path)).bytes;
    assert.deepEqual(await readBytes(id), await readBytes(other.id));
  });

  test('setting all edits keeps the unchanged first steps, and changes nothing without a difference', async () => {
    const { id } = await add();
    assertWritten(await set(id, [turn, cut]));
    const [first] = await readSteps(id);
    const before = await detail(id);
    gallery.travel(5);
    const again = assertWritten(await set(id, [turn, cut]));
    assert.equal(again.path, before.path);
    const otherwise = [turn, cut].map(({ action, params }) => ({
      params: Object.fromEntries(Object.entries(params).reverse()),
      action,
    }));
    assert.equal(assertWritten(await set(id, otherwise)).path, before.path);
    assert.equal((await detail(id)).update_time, before.update_time);
    assertWritten(await set(id, [turn, grey]));
    const steps = await readSteps(id);
    assert.deepEqual(steps[0], first);
    assert.deepEqual([steps.length, steps[1].action], [2, 'filter']);
    assertWritten(await owner.post(`/api/photos/${id}/revert`, { edit_id: first.id }));
    assert.deepEqual(await readSteps(id), [first]);
  });

  test('setting no edits shows the original', async () => {
    const { id, path } = await add();
    assert.equal(assertWritten(await set(id, [])).path, path);
    assertWritten(await set(id, [turn]));
    const answer = assertWritten(await set(id, []));
    assert.deepEqual([answer.path, answer.width, answer.height], [path, 120, 80]);
    assert.deepEqual(await readSteps(id), []);
  });

  test('setting all edits names the step that does not fit, and then changes nothing', async () => {
    const { id } = await add();
    assertWritten(await set(id, [turn]));
    const shown = async () => ({ ...(await detail(id)), views: 0 });
    const before = [await shown(), await readSteps(id)];
    const wide = { action: 'crop', params: { x: 0, y: 0, width: 100, height: 10 } };
    assertRefused(await set(id, [turn, wide]), 400, 400, ['steps.1.params.width']);
    assertRefused(await set(id, [{ action: 'rotate', params: { angle: 45 } }]), 400, 400, [
      'steps.0.params.angle',
    ]);
    assertRefused(await set(id, [{ action: 'melt', params: {} }]), 400, 400, ['steps.0.action']);
    assertRefused(
      await set(
        id,
        Array.from({ length: 101 }, () => turn),
      ),
      400,
      400,
      ['steps'],
    );
    assertRefused(await set(id, 'turn'), 400, 400, ['steps']);
    assertRefused(await owner.put(`/api/photos/${id}/edits`, {}), 400, 400, ['steps']);
    assert.deepEqual([await shown(), await readSteps(id)], before);
  });

  test('two simultaneous settings of all edits leave the history of one request', async () => {
    const { id } = await add();
    const answers = await Promise.all([set(id, [turn, grey]), set(id, [grey, cut])]);
    assert.ok(answers.every(({ status }) => status === 200 || status === 503));
    const steps = (await readSteps(id)).map(({ action }: typeof turn) => action);
    assert.ok([['rotate', 'filter'].join(), ['filter', 'crop'].join()].includes(steps.join()), steps.join());
    assert.deepEqual(gallery.complaints(), []);
  });
});
