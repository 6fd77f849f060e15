import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import {
  addSharedPhoto,
  assertCode,
  type CreatedShare,
  listed,
  open,
  privateFields,
  share,
} from './steps.ts';

let gallery: Gallery;
let anybody: Person;
let olga: Person;
let sven: Person;
let ada: Person;

before(async () => {
  gallery = await startGallery();
  anybody = asVisitor(gallery);
  olga = await register(gallery, 'olga');
  sven = await register(gallery, 'sven');
  ada = await registerAdmin(gallery, 'ada');
});
after(() => gallery.close());

suite('making a share', () => {
  test('gives a link and a QR code, whichever was asked for', async () => {
    const photo = await addSharedPhoto(olga);
    for (const type of ['link', 'qrcode']) {
      const { status, body } = await olga.post(`/api/photos/${photo}/share`, { type });
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body.data).sort(), ['id', 'qrcode', 'url']);
      assert.match(body.data.url, new RegExp(`^${gallery.url}/s/[A-Za-z0-9_-]{43}$`));
      assert.match(body.data.qrcode, /^data:image\/png;base64,/);
      const png = sharp(Buffer.from(body.data.qrcode.split(',')[1], 'base64'));
      const picture = await png.metadata();
      assert.equal(picture.format, 'png');
      assert.equal(picture.width, picture.height);
      assert.ok(picture.width! >= 200);
      const { data, info } = await png.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      assert.equal(decodeQR({ width: info.width, height: info.height, data }), body.data.url);
    }
  });

  test('names every bad field', async () => {
    const photo = await addSharedPhoto(olga);
    const bad = [
      [{}, ['type']],
      [{ type: 'mail', expires: 0, password: '' }, ['expires', 'password', 'type']],
      [{ type: 'link', expires: 3651 }, ['expires']],
      [{ type: 'link', expires: '7' }, ['expires']],
      [{ type: 'link', expires: 1.5, password: 'x'.repeat(129) }, ['expires', 'password']],
      [{ type: 'link', password: 1234 }, ['password']],
    ] as const;
    for (const [body, fields] of bad) {
      const answer = await olga.post(`/api/photos/${photo}/share`, body);
      assert.equal(answer.status, 400);
      assert.deepEqual(Object.keys(answer.body.errors).sort(), fields, JSON.stringify(body));
    }
    await assertCode(olga.post('/api/photos/x/share', { type: 'link' }), 400, 400);
  });

  test('is allowed for a photo that is not public to its owner, for a public one to any user', async () => {
    const publicPhoto = await addSharedPhoto(olga);
    for (const fields of [privateFields, { visibility: 'members' }]) {
      const narrower = await addSharedPhoto(olga, fields);
      for (const who of [sven, ada]) {
        await assertCode(who.post(`/api/photos/${narrower}/share`, { type: 'link' }), 403, 20004);
      }
      const { token } = await share(olga, narrower);
      const { photo } = (await open(gallery, token)).body.data;
      assert.equal(photo.id, narrower);
      for (const path of [photo.path, photo.thumb]) assert.equal((await anybody.get(path)).status, 200);
      assert.equal((await anybody.get(photo.thumb.split('?')[0])).status, 403, 'not without its signature');
    }
    await assertCode(anybody.post(`/api/photos/${publicPhoto}/share`, { type: 'link' }), 401, 401);
    await share(sven, publicPhoto);
    await share(ada, publicPhoto);
  });

  test('is refused to others for a public photo whose album is for members', async () => {
    const { body } = await olga.post('/api/albums', { name: 'Club', visibility: 'members' });
    const photo = await addSharedPhoto(olga, { album_id: String(body.data.id) });
    for (const who of [sven, ada]) {
      await assertCode(who.post(`/api/photos/${photo}/share`, { type: 'link' }), 403, 20004);
    }
    assert.equal((await open(gallery, (await share(olga, photo)).token)).status, 200);
  });

  test('is refused for trashed and unknown photos', async () => {
    const photo = await addSharedPhoto(olga);
    await olga.delete(`/api/photos/${photo}`);
    await assertCode(olga.post(`/api/photos/${photo}/share`, { type: 'link' }), 404, 20003);
    await assertCode(olga.post('/api/photos/999999/share', { type: 'link' }), 404, 20003);
  });
});

suite('the list of shares', () => {
  test('counts each opening once, exactly, and no other request', async () => {
    const { id, token } = await share(olga, await addSharedPhoto(olga));
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 ? open(gallery, token) : anybody.get(`/s/${token}`))),
    );
    await anybody.send('HEAD', `/s/${token}`);
    await anybody.send('HEAD', `/api/shares/${token}`);
    await gallery.deps.db.counters.flush();
    assert.equal((await listed(olga, id)).views, 40);
    await open(gallery, token);
    await gallery.deps.db.counters.flush();
    assert.equal((await listed(olga, id)).views, 41);
  });

  test('holds one’s own, newest first, in pages', async () => {
    const rosa = await register(gallery, 'rosa');
    const photo = await addSharedPhoto(olga, { title: 'Ferry' });
    const made: CreatedShare[] = [];
    for (let n = 0; n < 3; n++) made.push(await share(rosa, photo));
    const { body } = await rosa.get('/api/shares?page=1&limit=2');
    assert.deepEqual(body.data.pagination, { page: 1, limit: 2, total: 3, pages: 2 });
    assert.deepEqual(
      body.data.list.map(({ id }: CreatedShare) => id),
      [made[2]!.id, made[1]!.id],
    );
    const { create_time, target, ...rest } = body.data.list[0];
    assert.match(create_time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.equal(target.title, 'Ferry');
    assert.equal((await anybody.get(target.thumb)).status, 200);
    const { id, url } = made[2]!;
    assert.deepEqual(rest, {
      id,
      type: 'photo',
      url,
      views: 0,
      downloads: 0,
      last_view_time: '',
      expire_time: '',
      has_password: false,
      allow_download: true,
      max_views: null,
    });
    await assertCode(anybody.get('/api/shares'), 401, 401);
  });

  test('a share is revoked by its maker and by admins only', async () => {
    const { id, token } = await share(sven, await addSharedPhoto(olga));
    await assertCode(olga.delete(`/api/shares/${id}`), 403, 403);
    await assertCode(anybody.delete(`/api/shares/${id}`), 401, 401);
    await assertCode(sven.delete('/api/shares/x'), 400, 400);
    assert.equal((await open(gallery, token)).status, 200);
    await assertCode(ada.delete(`/api/shares/${id}`), 200, 0);
    await assertCode(open(gallery, token), 404, 20007);
  });
});

test('the server logged no error during these tests', () => {
  assert.deepEqual(gallery.complaints(), []);
});
