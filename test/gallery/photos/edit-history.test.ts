import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createJpegWithExif } from '../../support/pictures.ts';

describe('the history of edits', () => {
  let gallery: Gallery;
  let owner: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
  });
  after(() => gallery.close());

  const edit = async (id: number, action: string, params: object) => {
    return assertWritten(await owner.post(`/api/photos/${id}/edit`, { action, params })).path as string;
  };
  const revert = (id: number, body?: object) => owner.post(`/api/photos/${id}/revert`, body);
  const detail = async (id: number) => assertRead(await owner.get(`/api/photos/${id}`));
  const steps = async (id: number) => assertRead(await owner.get(`/api/photos/${id}/edits`)).list;
  const bytesAt = async (path: string) => (await asVisitor(gallery).get(path)).bytes;
  const download = async (id: number) => (await owner.get(`/api/photos/${id}/download`)).bytes;
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

  /** Returns a picture of noise, which makes every lossy encoding visible. */
  async function noisy(): Promise<Buffer> {
    const pixels = Buffer.alloc(240 * 160 * 3);
    let state = 7;
    for (let at = 0; at < pixels.length; at++) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      pixels[at] = 100 + ((state >> 16) % 60);
    }
    return sharp(pixels, { raw: { width: 240, height: 160, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer();
  }

  test('the edit history lists the steps in order, with exactly these fields', async () => {
    const { id } = await addPhoto(owner, { title: 'steps' });
    assert.deepEqual(await steps(id), []);
    await edit(id, 'rotate', { angle: 90 });
    await edit(id, 'filter', { type: 'blur', value: 0.5 });
    await edit(id, 'resize', { width: 100 });
    const list = await steps(id);
    for (const step of list) {
      assert.deepEqual(Object.keys(step), ['id', 'action', 'params', 'create_time']);
      assert.match(step.create_time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    }
    assert.deepEqual(
      list.map(({ action, params }: { action: string; params: object }) => [action, params]),
      [
        ['rotate', { angle: 90 }],
        ['filter', { type: 'blur', value: 0.5 }],
        ['resize', { width: 100 }],
      ],
    );
    const ids = list.map((step: { id: number }) => step.id);
    assert.deepEqual(
      ids,
      ids.toSorted((a: number, b: number) => a - b),
    );
  });

  test('the edit history includes the original, whose pictures only the owner sees after an edit', async () => {
    const { id } = await addPhoto(owner, { title: 'begins' });
    const { path: shown } = await detail(id);
    await edit(id, 'rotate', { angle: 90 });
    const { original } = assertRead(await owner.get(`/api/photos/${id}/edits`));
    assert.deepEqual(Object.keys(original), ['path', 'preview', 'image', 'thumb', 'width', 'height']);
    const now = await detail(id);
    assert.deepEqual([original.width, original.height], [now.height, now.width]);
    assert.ok(original.path.startsWith(`${shown}?`), original.path);
    gallery.travel(2 * 3600);
    const later = assertRead(await owner.get(`/api/photos/${id}/edits`)).original;
    for (const path of [later.path, later.preview, later.thumb, later.image.replace('{width}', '320')]) {
      const { status, headers } = await asVisitor(gallery).get(path);
      assert.equal(status, 200, path);
      assert.match(headers.get('content-type')!, /^image\//);
      // Without the signature the request is refused, because the area that was cropped away may be private.
      assertRefused(await asVisitor(gallery).get(path.split('?')[0]!), 403, 20004);
    }
  });

  test('renders the edit history from the original, so many edits lose no more quality than one', async () => {
    const file = await noisy();
    const [once, often] = [await addPhoto(owner, {}, file), await addPhoto(owner, {}, file)];
    await edit(once.id, 'rotate', { angle: 180 });
    for (let n = 0; n < 10; n++) await edit(often.id, 'rotate', { angle: 90 });
    const [one, ten] = [await detail(once.id), await detail(often.id)];
    assert.deepEqual([ten.width, ten.height], [one.width, one.height]);
    const truth = await sharp(file).rotate(180).raw().toBuffer();
    const measureLoss = async (path: string) => {
      const raw = await sharp(await bytesAt(path))
        .removeAlpha()
        .raw()
        .toBuffer();
      return raw.reduce((sum, value, at) => sum + Math.abs(value - truth[at]!), 0) / truth.length;
    };
    const [lossOfOne, lossOfTen] = [await measureLoss(one.path), await measureLoss(ten.path)];
    assert.ok(lossOfTen <= lossOfOne * 1.05 + 0.01, `${lossOfTen} after ten, ${lossOfOne} after one`);
  });

  test('reverting restores the original, byte for byte', async () => {
    const file = await createJpegWithExif();
    const photo = await addPhoto(owner, { title: 'restored' }, file);
    const before = await detail(photo.id);
    await edit(photo.id, 'flip', { direction: 'h' });
    await edit(photo.id, 'crop', { x: 0, y: 0, width: 10, height: 10 });
    assert.notEqual(sha256(await download(photo.id)), sha256(file));

    assert.equal(assertWritten(await revert(photo.id, {})).path, photo.path);
    const { views: _1, downloads: _2, update_time: _3, ...after } = await detail(photo.id);
    for (const [name, value] of Object.entries(after)) assert.deepEqual(value, before[name], name);
    assert.deepEqual(await steps(photo.id), []);
    assert.equal(sha256(await download(photo.id)), sha256(file));
  });

  test('reverting without a body restores the original', async () => {
    const photo = await addPhoto(owner, { title: 'bodiless' });
    await edit(photo.id, 'rotate', { angle: 90 });
    assert.equal(assertWritten(await revert(photo.id)).path, photo.path);
    assert.deepEqual(await steps(photo.id), []);
  });

  test('reverting restores the state after a chosen step', async () => {
    const { id } = await addPhoto(owner, { title: 'rewound' });
    await edit(id, 'resize', { width: 200, height: 100 });
    const middle = await edit(id, 'rotate', { angle: 90 });
    await edit(id, 'crop', { x: 0, y: 0, width: 20, height: 30 });
    await edit(id, 'filter', { type: 'grayscale' });
    const [first, second, third] = await steps(id);

    const { path } = assertWritten(await revert(id, { edit_id: second.id }));
    const now = await detail(id);
    assert.deepEqual([now.path, now.width, now.height], [path, 100, 200]);
    assert.deepEqual(
      await sharp(await bytesAt(path))
        .raw()
        .toBuffer(),
      await sharp(await bytesAt(middle))
        .raw()
        .toBuffer(),
    );
    assert.deepEqual(await steps(id), [first, second]);

    const gone = await revert(id, { edit_id: third.id });
    assertRefused(gone, 400, 400, ['edit_id']);
    assert.equal(assertWritten(await revert(id, { edit_id: second.id })).path, path, 'again changes nothing');
    await edit(id, 'flip', { direction: 'v' });
    assert.deepEqual(
      (await steps(id)).map(({ action }: { action: string }) => action),
      ['resize', 'rotate', 'flip'],
    );
  });

  test('refuses to revert to a step of another photo or to an invalid step', async () => {
    const [one, other] = [await addPhoto(owner, { title: 'one' }), await addPhoto(owner, { title: 'other' })];
    await edit(one.id, 'rotate', { angle: 90 });
    await edit(other.id, 'rotate', { angle: 90 });
    const [{ id: foreign }] = await steps(other.id);
    for (const edit_id of [foreign, 999_999, 0, -1, 1.5, '1']) {
      assertRefused(await revert(one.id, { edit_id }), 400, 400, ['edit_id']);
    }
    assert.equal((await steps(one.id)).length, 1);
  });

  test('refuses an edit after a hundred steps and names the limit', async () => {
    const { id } = await addPhoto(owner, { title: 'long' });
    const flip = { action: 'flip', params: JSON.stringify({ direction: 'h' }), create_time: 0, photo_id: id };
    await gallery.deps.db.kysely
      .insertInto('edits')
      .values(Array.from({ length: 100 }, () => flip))
      .execute();
    const answer = await owner.post(`/api/photos/${id}/edit`, { action: 'flip', params: { direction: 'h' } });
    assertRefused(answer, 400, 400, ['action']);
  });

  test('keeps the replaced image for an hour and then deletes the image', async () => {
    const { id } = await addPhoto(owner, { title: 'replaced' });
    const old = await edit(id, 'rotate', { angle: 90 });
    const now = await edit(id, 'rotate', { angle: 90 });
    assert.equal((await asVisitor(gallery).get(old)).status, 200);
    gallery.travel(3601);
    assert.equal((await asVisitor(gallery).get(old)).status, 404);
    assert.equal((await asVisitor(gallery).get(now)).status, 200);
    assert.equal((await asVisitor(gallery).get((await detail(id)).thumb)).status, 200);
  });

  test('edited images contain no metadata of the original', async () => {
    const { id } = await addPhoto(owner, { title: 'clean' }, await createJpegWithExif());
    const bytes = await bytesAt(await edit(id, 'rotate', { angle: 90 }));
    for (const secret of ['SERIAL-12345', 'SECRET-COPYRIGHT']) assert.ok(!bytes.includes(secret), secret);
    assert.equal((await sharp(bytes).metadata()).exif, undefined);
    assert.equal((await detail(id)).exif.camera, 'Canon EOS 500D');
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
