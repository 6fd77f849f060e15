import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { asLibraryWriter } from '../../../server/gallery/library/tables.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, register } from '../../support/people.ts';
import { createJpegWithExif } from '../../support/pictures.ts';
import {
  addSharedPhoto,
  assertCode,
  formHeaders,
  listed,
  open,
  privateFields,
  share,
  tryForm,
  tryPassword,
  unlock,
} from './steps.ts';

let gallery: Gallery;
let anybody: Person;
let olga: Person;
let sven: Person;

before(async () => {
  gallery = await startGallery();
  anybody = asVisitor(gallery);
  olga = await register(gallery, 'olga');
  sven = await register(gallery, 'sven');
});
after(() => gallery.close());

suite('opening a share', () => {
  test('shows a private photo to a client that has it, and nothing beside it', async () => {
    const album = await asLibraryWriter(gallery.deps.db.kysely)
      .insertInto('albums')
      .values({
        user_id: olga.id,
        name: 'Secret surgery',
        level: 0,
        visibility: 1,
        create_time: 1,
        update_time: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const upload = await olga.upload(await createJpegWithExif(), {
      album_id: String(album.id),
      title: 'Scan',
    });
    await olga.post(`/api/photos/${upload.body.data.id}/like`);
    const { token } = await share(olga, upload.body.data.id);

    const { status, body, headers, bytes } = await open(gallery, token);
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'private, no-store');
    assert.deepEqual(Object.keys(body).sort(), ['code', 'data']);
    assert.equal(body.data.type, 'photo');
    const { photo } = body.data;
    assert.equal(photo.title, 'Scan');
    assert.equal(photo.album, null);
    assert.equal(photo.is_liked, false);
    assert.equal(photo.exif.camera, 'Canon EOS 500D');
    for (const secret of ['surgery', 'SECRET', 'SERIAL', 'gps', 'latitude', olga.token!]) {
      assert.ok(!bytes.toString().toLowerCase().includes(secret.toLowerCase()), secret);
    }
    for (const path of [photo.path, photo.preview, photo.thumb]) {
      assert.match(path, /[?&]g=s\d+&/);
      assert.equal((await anybody.get(path)).status, 200);
      assert.equal((await anybody.get(path.split('?')[0])).status, 403);
    }
    const file = (await anybody.get(photo.path)).bytes.toString('latin1');
    assert.ok(!file.includes('SERIAL-12345') && !file.includes('SECRET-COPYRIGHT'));
  });

  test('ends when it is revoked, and the image paths it gave with it', async () => {
    const { id, token } = await share(olga, await addSharedPhoto(olga, privateFields));
    const { photo } = (await open(gallery, token)).body.data;
    assert.equal((await anybody.get(photo.thumb)).status, 200);
    await assertCode(olga.delete(`/api/shares/${id}`), 200, 0);
    await assertCode(open(gallery, token), 404, 20007);
    assert.equal((await anybody.get(`/s/${token}`)).status, 404);
    assert.equal((await anybody.get(photo.thumb)).status, 403);
    await assertCode(olga.delete(`/api/shares/${id}`), 404, 20007);
  });

  test('ends when it expires', async () => {
    const { id, token } = await share(olga, await addSharedPhoto(olga, privateFields), { expires: 1 });
    assert.match((await listed(olga, id)).expire_time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    gallery.travel(86_395);
    assert.equal((await open(gallery, token)).status, 200);
    gallery.travel(10);
    await assertCode(open(gallery, token), 404, 20007);
    await assertCode(tryPassword(gallery, token, ''), 404, 20007);
    assert.ok(await listed(olga, id));
  });

  test('hides a photo in the trash', async () => {
    const photo = await addSharedPhoto(olga);
    const { id, token } = await share(olga, photo);
    await olga.delete(`/api/photos/${photo}`);
    await assertCode(open(gallery, token), 404, 20007);
    assert.deepEqual((await listed(olga, id)).target, { id: photo, title: '', thumb: '' });
  });

  for (const visibility of ['private', 'members']) {
    test(`a stranger's share ends while the level is ${visibility}, the owner's does not`, async () => {
      const photo = await addSharedPhoto(olga, { title: 'Now public' });
      const strange = await share(sven, photo);
      const own = await share(olga, photo);
      const { thumb } = (await open(gallery, strange.token)).body.data.photo;
      await olga.put(`/api/photos/${photo}`, { visibility, title: 'Now narrower' });

      await assertCode(open(gallery, strange.token), 404, 20007);
      assert.equal((await anybody.get(`/s/${strange.token}`)).status, 404);
      assert.equal((await anybody.get(thumb)).status, 403);
      const isSeenBySven = visibility === 'members';
      const { target: seen } = await listed(sven, strange.id);
      assert.deepEqual([seen.id, seen.title], [photo, isSeenBySven ? 'Now narrower' : '']);
      if (isSeenBySven) assert.equal((await sven.get(seen.thumb)).status, 200);
      else assert.equal(seen.thumb, '');
      const { target } = await listed(olga, own.id);
      assert.equal(target.title, 'Now narrower');
      assert.equal((await anybody.get(target.thumb)).status, 200);
      assert.equal((await open(gallery, own.token)).status, 200);

      await olga.put(`/api/photos/${photo}`, { is_public: 1 });
      assert.equal((await open(gallery, strange.token)).status, 200);
    });
  }

  test('is 20007 for tokens of every kind that there is none of', async () => {
    for (const token of [
      'x',
      'A'.repeat(43),
      '1',
      '%00',
      '%F0%9F%8E%88',
      "'--",
      'A'.repeat(190),
      '..%2f..',
    ]) {
      await assertCode(open(gallery, token), 404, 20007);
      assert.equal((await anybody.get(`/s/${token}`)).status, 404);
    }
  });
});

suite('a password', () => {
  const password = 'blue heron';

  test('is asked for, opens this share only, for an hour, and is not told to anyone', async () => {
    const photo = await addSharedPhoto(olga, privateFields);
    const one = await share(olga, photo, { password });
    const other = await share(olga, photo, { password });
    await assertCode(open(gallery, one.token), 403, 20008);
    await assertCode(tryPassword(gallery, one.token, 'blue hero'), 403, 20008);
    await assertCode(tryPassword(gallery, one.token, ''), 403, 20008);
    await assertCode(tryPassword(gallery, one.token, undefined), 400, 400);
    await assertCode(tryPassword(gallery, one.token, 'x'.repeat(1025)), 400, 400);

    const answer = await tryPassword(gallery, one.token, password);
    assert.deepEqual(Object.keys(answer.body.data).sort(), ['access', 'expires_in']);
    assert.equal(answer.body.data.expires_in, 3600);
    const { access } = answer.body.data;
    assert.equal((await open(gallery, one.token, access)).status, 200);
    await assertCode(open(gallery, other.token, access), 403, 20008);
    for (const forged of [
      '',
      `9${access}`,
      access.slice(0, -1),
      `${access}A`,
      `9999999999.${access.split('.')[1]}`,
    ]) {
      await assertCode(open(gallery, one.token, forged), 403, 20008);
    }
    await assertCode(anybody.get(`/api/shares/${one.token}?access=${access}&access=${access}`), 400, 400);

    const { bytes } = await olga.get('/api/shares?limit=100');
    assert.ok(!bytes.toString().includes(password) && !bytes.toString().includes('argon2'));
    assert.equal((await listed(olga, one.id)).has_password, true);

    // Allows a minute of tolerance, because the clock of the gallery runs on during the test.
    gallery.travel(3540);
    assert.equal((await open(gallery, one.token, access)).status, 200);
    gallery.travel(60);
    await assertCode(open(gallery, one.token, access), 403, 20008);
    const fresh = await unlock(gallery, one.token, password);
    await olga.delete(`/api/shares/${one.id}`);
    await assertCode(open(gallery, one.token, fresh), 404, 20007);
  });

  test('a share without one answers with an access too', async () => {
    const { id, token } = await share(olga, await addSharedPhoto(olga));
    const access = await unlock(gallery, token, 'whatever');
    assert.equal((await open(gallery, token, access)).status, 200);
    assert.equal((await listed(olga, id)).has_password, false);
  });

  test('may be tried ten times a minute, by endpoint and form together', async () => {
    const photo = await addSharedPhoto(olga);
    const { token } = await share(olga, photo, { password });
    const other = await share(olga, photo, { password });
    const tries = await Promise.all(Array.from({ length: 9 }, () => tryPassword(gallery, token, 'no')));
    assert.deepEqual([...new Set(tries.map(({ body }) => body.code))], [20008]);
    assert.equal((await tryForm(gallery, token, 'no')).status, 403);

    const refused = await tryPassword(gallery, token, password);
    assert.deepEqual([refused.status, refused.body.code], [429, 429]);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    const page = await tryForm(gallery, token, password);
    assert.equal(page.status, 429);
    assert.ok(Number(page.headers.get('retry-after')) > 0);
    assert.match(page.bytes.toString(), /Too many attempts/);
    await unlock(gallery, other.token, password);
  });
});

test('a link may be guessed at a hundred times a minute, from however many addresses', async () => {
  const behindProxy = await startGallery({ trustProxy: true });
  try {
    const person = await register(behindProxy, 'olga');
    const photo = await addSharedPhoto(person);
    const { token } = await share(person, photo, { password: 'blue heron' });
    const other = await share(person, photo, { password: 'blue heron' });
    const from = (address: number, target: string, password: string) =>
      person.send('POST', `/api/shares/${target}/unlock`, {
        body: JSON.stringify({ password }),
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${address}` },
      });
    // Correct passwords count only against the limit of their IP address.
    for (let n = 0; n < 5; n++) await assertCode(from(200, token, 'blue heron'), 200, 0);
    for (let n = 0; n < 100; n++) await assertCode(from(n, token, 'no'), 403, 20008);
    const refused = await from(201, token, 'blue heron');
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) <= 60);
    await assertCode(from(201, other.token, 'blue heron'), 200, 0);
  } finally {
    await behindProxy.close();
  }
});

test('an address may try fifty passwords a minute, right or wrong, of however many links', async () => {
  const behindProxy = await startGallery({ trustProxy: true });
  try {
    const person = await register(behindProxy, 'olga');
    const photo = await addSharedPhoto(person);
    const links = await Promise.all(
      Array.from({ length: 6 }, () => share(person, photo, { password: 'blue heron' })),
    );
    const withoutPassword = await share(person, photo);
    const from = (address: string, target: string, password: string) =>
      asVisitor(behindProxy).send('POST', `/api/shares/${target}/unlock`, {
        body: JSON.stringify({ password }),
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      });
    const [own, other] = ['192.0.2.1', '192.0.2.2'];
    for (const { token } of links.slice(0, 5)) {
      for (let n = 0; n < 5; n++) await assertCode(from(own, token, 'blue heron'), 200, 0);
      for (let n = 0; n < 5; n++) await assertCode(from(own, token, 'no'), 403, 20008);
    }
    const { token } = links[5]!;
    const refused = await from(own, token, 'blue heron');
    assert.deepEqual([refused.status, refused.body.code], [429, 429]);
    assert.ok(!refused.bytes.toString().includes('access'));
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    const page = await asVisitor(behindProxy).send('POST', `/s/${token}`, {
      body: new URLSearchParams({ password: 'blue heron' }).toString(),
      headers: { ...formHeaders, 'x-forwarded-for': own },
    });
    assert.deepEqual([page.status, page.headers.get('set-cookie')], [429, null]);
    assert.ok(Number(page.headers.get('retry-after')) >= 1);
    // A link without a password has no limit of attempts, and another IP address has its own limit.
    await assertCode(from(own, withoutPassword.token, 'whatever'), 200, 0);
    await assertCode(from(other, token, 'blue heron'), 200, 0);
  } finally {
    await behindProxy.close();
  }
});

test('the server logged no error during these tests', () => {
  assert.deepEqual(gallery.complaints(), []);
});
