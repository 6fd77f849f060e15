/**
 * An image version replaced by an edit stays available for an hour to everyone, and then only to the photo's
 * owner and admins.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createLandmarks } from '../../support/pictures.ts';

const hour = 3600;

describe('an image that an edit replaced', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;
  let anybody: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
    anybody = asVisitor(gallery);
  });
  after(() => gallery.close());

  async function addWithPaths(fields: Record<string, string>, picture: Buffer) {
    const { id } = await addPhoto(owner, fields, picture);
    const { path, preview, thumb, image } = assertRead(await owner.get(`/api/photos/${id}`));
    // Requests the first size before the edit, and the other size only after the edit.
    const sizes = [image.replace('{width}', '320'), image.replace('.w{width}.webp', '.w320.jpg')];
    assert.equal((await owner.get(sizes[0])).status, 200);
    return { id, paths: [path, preview, thumb, ...sizes] as string[] };
  }

  const crop = async (id: number) => {
    const params = { x: 0, y: 0, width: 50, height: 50 };
    assertWritten(await owner.post(`/api/photos/${id}/edit`, { action: 'crop', params }));
  };

  async function assertAll(paths: string[], who: Person, status: number): Promise<void> {
    for (const path of paths) {
      for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }]) {
        const answer = await who.get(path, headers as Record<string, string>);
        if (status === 200) assert.ok([200, 206, 304].includes(answer.status), `${path} ${answer.status}`);
        else assertRefused(answer, status, 20004);
        assert.equal(answer.headers.get('location'), null);
      }
      const { status: head } = await who.send('HEAD', path);
      assert.equal(head, status, `HEAD ${path}`);
    }
  }

  test('the replaced image of a public photo is no longer served', async () => {
    const { id, paths } = await addWithPaths({}, await createLandmarks(300, 200));
    for (const path of paths) {
      const kept = (await anybody.get(path)).headers.get('cache-control')!;
      assert.match(kept, /max-age=3600\b/);
    }
    await crop(id);
    await assertAll(paths, anybody, 200);
    for (const path of paths) {
      const kept = (await anybody.get(path)).headers.get('cache-control')!;
      const [, age] = /^public, max-age=(\d+), s-maxage=0, proxy-revalidate$/.exec(kept)!;
      assert.ok(Number(age) <= hour && Number(age) > hour - 60, kept);
    }

    gallery.travel(hour);
    await runMaintenance(gallery.deps, { graceSeconds: 86_400 });
    await assertAll(paths, anybody, 403);
    await assertAll(paths, stranger, 403);
    await assertAll(paths, owner, 200);
    await assertAll(paths, admin, 200);
    const shown = assertRead(await anybody.get(`/api/photos/${id}`));
    for (const path of [shown.path, shown.preview, shown.thumb]) {
      const { width } = await sharp((await anybody.get(path)).bytes).metadata();
      assert.equal(width, 50);
    }
    const { bytes } = await stranger.get(`/api/photos/${id}/download`);
    assert.equal((await sharp(bytes).metadata()).width, 50);

    assertWritten(await owner.post(`/api/photos/${id}/revert`, {}));
    await assertAll(paths, anybody, 200);
    for (const path of paths) {
      assert.match((await anybody.get(path)).headers.get('cache-control')!, /max-age=3600\b/);
    }
  });

  test('the replaced image of a photo whose `full` shows its original is no longer served', async () => {
    const tiff = await sharp(await createLandmarks(300, 200))
      .tiff()
      .toBuffer();
    const { id, paths } = await addWithPaths({}, tiff);
    assert.match(paths[0]!, /\.full\./);
    await crop(id);
    gallery.travel(hour);
    await assertAll(paths, anybody, 403);
    await assertAll(paths, owner, 200);
  });

  test('further edits and a revert do not make a replaced image available again', async () => {
    const { id, paths } = await addWithPaths({}, await createLandmarks(300, 200));
    await crop(id);
    gallery.travel(hour - 10);
    await crop(id);
    const { list } = assertRead(await owner.get(`/api/photos/${id}/edits`));
    assertWritten(await owner.post(`/api/photos/${id}/revert`, { edit_id: list[0].id }));
    await assertAll(paths, anybody, 200);
    gallery.travel(10);
    await assertAll(paths, anybody, 403);
  });

  test("the replaced image of a private photo opens for its owner's signature, not for a share", async () => {
    // Moves the clock to the start of an hour: signatures expire on the hour, so a signature made now is
    // valid for almost two hours.
    gallery.travel(hour - (gallery.deps.clock() % hour));
    const { id, paths } = await addWithPaths({ is_public: '0' }, await createLandmarks(300, 200));
    const { url } = assertWritten(await owner.post(`/api/photos/${id}/share`, { type: 'link' }));
    const token = url.split('/').at(-1);
    const shared = async () => {
      const { photo } = assertRead(await anybody.get(`/api/shares/${token}`));
      return [photo.path, photo.preview, photo.thumb] as string[];
    };
    const ofShare = await shared();
    await assertAll(ofShare, anybody, 200);
    await crop(id);
    for (const path of ofShare) {
      const answer = await anybody.get(path);
      assert.equal(answer.status, 200);
      const [, age] = /^private, max-age=(\d+)$/.exec(answer.headers.get('cache-control')!)!;
      assert.ok(Number(age) <= hour);
    }
    gallery.travel(hour);
    await assertAll(ofShare, anybody, 403);
    await assertAll(await shared(), anybody, 200);
    // Paths signed for the owner an hour ago are valid for another hour.
    await assertAll(paths, anybody, 200);
    await assertAll(
      paths.map((path) => path.split('?')[0]!),
      stranger,
      403,
    );
  });

  test('disappears for the members who see a photo for members', async () => {
    gallery.travel(hour - (gallery.deps.clock() % hour));
    const { id, paths } = await addWithPaths({ visibility: 'members' }, await createLandmarks(300, 200));
    const { path, preview, thumb } = assertRead(await stranger.get(`/api/photos/${id}`));
    const signed = [path, preview, thumb] as string[];
    const plain = paths.map((one) => one.split('?')[0]!);
    await assertAll(signed, anybody, 200);
    await crop(id);
    await assertAll(plain, anybody, 403);
    await assertAll(plain, stranger, 200);
    gallery.travel(hour);
    await assertAll(plain, stranger, 403);
    await assertAll(signed, anybody, 403);
    for (const who of [owner, admin]) await assertAll(plain, who, 200);
    const { thumb: shown } = assertRead(await stranger.get(`/api/photos/${id}`));
    assert.equal((await anybody.get(shown)).status, 200);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
