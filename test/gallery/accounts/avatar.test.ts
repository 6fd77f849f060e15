import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { setAvatar } from '../../../server/gallery/accounts/avatar.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { countHoldings } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Answer, addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import {
  createAnimation,
  createJpeg,
  createJpegWithExif,
  createLandmarks,
  readPixel,
} from '../../support/pictures.ts';

describe('the avatar', () => {
  let gallery: Gallery;
  let owner: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
  });
  after(() => gallery.close());

  function send(who: Person, file?: Buffer, field = 'file', name = 'me.jpg'): Promise<Answer> {
    const form = new FormData();
    if (file) form.append(field, new Blob([new Uint8Array(file)]), name);
    else form.append('note', 'no file');
    return who.send('POST', '/api/auth/avatar', { body: form });
  }

  const held = () => countHoldings(gallery.deps);

  test('is a square of 256 pixels from the middle, for everybody, without metadata', async () => {
    const answer = await send(owner, await createJpegWithExif());
    const data = assertWritten(answer);
    assert.deepEqual(Object.keys(data), ['avatar']);
    assert.match(data.avatar, /^\/storage\/[0-9a-f]{32}\.avatar\.webp$/);

    const image = await asVisitor(gallery).get(data.avatar);
    assert.equal(image.status, 200);
    assert.equal(image.headers.get('content-type'), 'image/webp');
    assert.equal(image.headers.get('x-content-type-options'), 'nosniff');
    const { format, width, height, exif, pages } = await sharp(image.bytes).metadata();
    assert.deepEqual([format, width, height, exif, pages ?? 1], ['webp', 256, 256, undefined, 1]);
    assert.ok(!image.bytes.includes('SERIAL-12345') && !image.bytes.includes('SECRET-COPYRIGHT'));
  });

  test('can be removed, again and again', async () => {
    const { avatar } = assertWritten(await send(owner, await createJpeg()));
    for (let n = 0; n < 2; n++) {
      assertDone(await owner.delete('/api/auth/avatar'));
      assert.equal(assertRead(await owner.get('/api/auth/user')).avatar, '');
    }
    assert.equal((await asVisitor(gallery).get(avatar)).status, 404);
  });

  test('is shown wherever the user is', async () => {
    const { avatar } = assertWritten(await send(owner, await createJpeg()));
    const photo = await addPhoto(owner, { title: 'Portrait' });
    assert.equal(assertRead(await owner.get('/api/auth/user')).avatar, avatar);
    assert.equal(assertRead(await asVisitor(gallery).get(`/api/photos/${photo.id}`)).user.avatar, avatar);
    assert.equal(assertRead(await asVisitor(gallery).get('/api/photos')).list[0].user.avatar, avatar);
  });

  test('replaces the one before, which ends', async () => {
    const first = assertWritten(await send(owner, await createJpeg({ colour: '#f00' }))).avatar;
    const second = assertWritten(await send(owner, await createJpeg({ colour: '#00f' }))).avatar;
    assert.notEqual(first, second);
    assert.equal((await asVisitor(gallery).get(first)).status, 404);
    const [red, , blue] = await readPixel((await asVisitor(gallery).get(second)).bytes, 128, 128);
    assert.ok(red! < 60 && blue! > 200);
  });

  test('is one of several that were sent at once, and the others are deleted', async () => {
    const pictures = await Promise.all(
      ['#f00', '#0f0', '#00f', '#ff0'].map((colour) => createJpeg({ colour })),
    );
    const answers = await Promise.all(pictures.map((picture) => send(owner, picture)));
    const paths = answers.map((answer) => assertWritten(answer).avatar as string);
    const { avatar } = assertRead(await owner.get('/api/auth/user'));
    assert.ok(paths.includes(avatar));
    const due = await gallery.deps.db.kysely.selectFrom('removals').select('object').execute();
    for (const path of paths.filter((path) => path !== avatar)) {
      assert.equal((await asVisitor(gallery).get(path)).status, 404);
      assert.ok(
        due.some(({ object }) => path.endsWith(object)),
        'is removed by the maintenance run',
      );
    }
  });

  test('is refused like the token of an account that is erased meanwhile', async () => {
    const gone = await register(gallery, 'gone');
    await gallery.deps.db.kysely.deleteFrom('users').where('id', '=', gone.id).execute();
    await assert.rejects(setAvatar(gallery.deps, gone.id, ''), { status: 401, code: 10006 });
  });

  test('is made from any format, upright, of an animation the first frame', async () => {
    const turned = await sharp(await createLandmarks(200, 300))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const pictures: [Buffer, string][] = [
      [
        await sharp(await createLandmarks())
          .webp()
          .toBuffer(),
        'x.webp',
      ],
      [
        await sharp(await createLandmarks())
          .png()
          .toBuffer(),
        'x.jpg',
      ],
      [
        await sharp(await createLandmarks())
          .tiff()
          .toBuffer(),
        'x.tif',
      ],
      [await createAnimation(), 'x.gif'],
      [turned, '../../x.svg'],
    ];
    for (const [picture, name] of pictures) {
      const { avatar } = assertWritten(await send(owner, picture, 'file', name));
      const { width, height } = await sharp((await asVisitor(gallery).get(avatar)).bytes).metadata();
      assert.deepEqual([width, height], [256, 256], name);
    }
    // Orientation 6 turns the stored left side to the top, so the red upper half must appear on the right.
    const { avatar } = assertRead(await owner.get('/api/auth/user'));
    const shown = (await asVisitor(gallery).get(avatar)).bytes;
    const [red] = await readPixel(shown, 240, 128);
    assert.ok(red! > 200, 'turned upright');
  });

  test('refuses what is no picture, too large, or no form, and keeps the old one', async () => {
    const { avatar } = assertRead(await owner.get('/api/auth/user'));
    const before = await held();
    assertRefused(await send(owner, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 415, 20001);
    assertRefused(await send(owner, Buffer.from('not a picture')), 415, 20001);
    assertRefused(await send(owner, Buffer.alloc(0)), 415, 20001);
    assertRefused(await send(owner, (await createJpeg()).subarray(0, 600)), 415, 20001);
    const large = Buffer.concat([await createJpeg(), Buffer.alloc(5 * 1024 * 1024)]);
    assertRefused(await send(owner, large), 413, 20002);
    assertRefused(await send(owner), 400, 400, ['file']);
    assertRefused(await send(owner, await createJpeg(), 'picture'), 400, 400, ['file', 'picture']);
    assertRefused(await owner.post('/api/auth/avatar', { file: 'x' }), 415, 415);
    assertRefused(await send(asVisitor(gallery), await createJpeg()), 401, 401);
    assert.equal(assertRead(await owner.get('/api/auth/user')).avatar, avatar);
    assert.deepEqual(await held(), before);
  });
});
