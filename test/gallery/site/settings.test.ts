/** Tests the settings of the gallery that admins change, and the environment variables that override them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { Level } from '../../../server/platform/db/states.ts';
import { errorCatalogue } from '../../../server/platform/errors/catalogue.ts';
import { assertRead, assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  type Answer,
  addPhoto,
  asVisitor,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';

const bodyText = ({ bytes }: Answer) => bytes.toString();

/** Code of an error that names fields. */
const invalid = errorCatalogue.invalid.code;

describe('the settings of the gallery', () => {
  let gallery: Gallery;
  let admin: Person;
  let member: Person;
  const site = async () => assertRead(await asVisitor(gallery).get('/api/site'));
  const change = async (update: object, who = admin) => who.put('/api/admin/settings', update);

  before(async () => {
    gallery = await startGallery();
    admin = await registerAdmin(gallery, 'admin');
    member = await register(gallery, 'member');
  });
  after(() => gallery.close());

  test('start with the defaults', async () => {
    assert.deepEqual(assertRead(await admin.get('/api/admin/settings')), {
      name: 'Lightwell',
      welcome: '',
      access: 'public',
      registration: 'open',
      default_visibility: 'public',
      default_quota_mb: null,
      accent_color: '',
      logo: '',
      set_by_environment: [],
      public_photos: 0,
    });
  });

  test('are for admins only', async () => {
    assert.equal((await member.get('/api/admin/settings')).status, 403);
    assert.equal((await change({ name: 'Mine' }, member)).status, 403);
    assert.equal((await asVisitor(gallery).get('/api/admin/settings')).status, 401);
    assert.equal((await site()).name, 'Lightwell');
  });

  test('change the name and the welcome text on pages', async () => {
    const name = 'The Smiths <b>★</b>';
    assert.equal((await change({ name, welcome: 'Ask Ann for an invite.' })).status, 200);
    const { welcome, ...told } = await site();
    assert.deepEqual([told.name, welcome], [name, 'Ask Ann for an invite.']);
    const page = await asVisitor(gallery).get('/sign-in', { accept: 'text/html' });
    assert.ok(bodyText(page).includes('The Smiths &lt;b&gt;★&lt;/b&gt;'), bodyText(page).slice(0, 500));
    assert.ok(!bodyText(page).includes('<title>The Smiths <b>'));
    await change({ name: '', welcome: '' });
    assert.equal((await site()).name, 'Lightwell');
  });

  test('decide who can register', async () => {
    await change({ registration: 'closed' });
    assert.equal((await site()).registration, 'closed');
    const joining = { username: 'late', email: 'late@example.org', password };
    assert.equal((await asVisitor(gallery).post('/api/auth/register', joining)).status, 403);
    await change({ registration: 'open' });
    assert.equal((await asVisitor(gallery).post('/api/auth/register', joining)).status, 200);
  });

  test('give new accounts their quota, and no others', async () => {
    await change({ default_quota_mb: 7 });
    const limited = await register(gallery, 'limited');
    assert.equal(assertRead(await limited.get('/api/auth/user')).quota_mb, 7);
    assert.equal(assertRead(await member.get('/api/auth/user')).quota_mb, null);
    await change({ default_quota_mb: null });
    const free = await register(gallery, 'free');
    assert.equal(assertRead(await free.get('/api/auth/user')).quota_mb, null);
  });

  test('give uploads and albums their level', async () => {
    await change({ default_visibility: 'private' });
    const { id } = await addPhoto(member);
    assert.equal(assertRead(await member.get(`/api/photos/${id}`)).visibility, 'private');
    const album = await member.post('/api/albums', { name: 'Plain' });
    assert.equal(album.body.data.visibility, 'private');
    await change({ default_visibility: 'public' });
  });

  test('name the number of photos before the gallery opens', async () => {
    await addPhoto(member);
    assert.equal((await change({ access: 'members' })).status, 200);
    assert.equal((await asVisitor(gallery).get('/api/photos')).status, 401);
    const refused = await change({ access: 'public', name: 'Half' });
    assertRefused(refused, 400, invalid, ['confirm_opening']);
    assert.match(JSON.stringify(refused.body.errors), /will see 1 photo/);
    const told = await site();
    assert.deepEqual([told.access, told.name], ['members', 'Lightwell'], 'nothing changes');
    assert.equal((await change({ access: 'public', confirm_opening: true })).status, 200);
    assert.equal((await asVisitor(gallery).get('/api/photos')).status, 200);
  });

  test('refuse a color that is hard to read, with its contrast', async () => {
    for (const [color, contrast] of [
      ['#ffffff', '1.0'],
      ['#e5a066', '2.0'],
      ['#d05a00', '3.7'],
    ]) {
      const refused = await change({ accent_color: color });
      assertRefused(refused, 400, invalid, ['accent_color']);
      assert.ok(JSON.stringify(refused.body.errors).includes(`(contrast ${contrast})`), bodyText(refused));
    }
    for (const color of ['red', '#12345', '#0b5d57; }', 'url(x)'])
      assertRefused(await change({ accent_color: color }), 400, invalid, ['accent_color']);
    await change({ accent_color: '#0b5d57' });
    const page = await asVisitor(gallery).get('/sign-in', { accept: 'text/html' });
    assert.match(
      bodyText(page),
      /:root\{--accent:#0b5d57;.*data-theme="dark"\],\.always-dark\{--accent:#[0-9a-f]{6};/s,
    );
    await change({ accent_color: '' });
    assert.doesNotMatch(
      bodyText(await asVisitor(gallery).get('/sign-in', { accept: 'text/html' })),
      /--accent:/,
    );
  });

  test('keep both changes of two admins at once', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `Name ${index}`);
    const answers = await Promise.all([
      ...names.map((name) => change({ name })),
      change({ welcome: 'Kept' }),
      change({ accent_color: '#224466' }),
    ]);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const told = await site();
    assert.deepEqual([told.welcome, told.accent_color, names.includes(told.name)], ['Kept', '#224466', true]);
    await change({ name: '', welcome: '', accent_color: '' });
  });

  test('take a logo through the picture workers, and refuse other files', async () => {
    const send = (bytes: Buffer) => {
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(bytes)]), 'logo.png');
      return admin.send('POST', '/api/admin/settings/logo', { body });
    };
    const wide = await sharp({ create: { width: 2000, height: 250, channels: 4, background: '#0b5d5780' } })
      .png()
      .toBuffer();
    const { logo } = (await send(wide)).body.data;
    assert.match(logo, /^\/logo-[0-9a-f]{16}\.webp$/);
    await change({ access: 'members' });
    const shown = await asVisitor(gallery).get(logo);
    assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/webp']);
    const { width, height, hasAlpha } = await sharp(shown.bytes).metadata();
    assert.deepEqual([width, height, hasAlpha], [640, 80, true]);
    await change({ access: 'public', confirm_opening: true });
    assert.equal((await send(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).body.code, 20001);
    assert.equal((await send(Buffer.concat([wide, Buffer.alloc(512 * 1024)]))).body.code, 20002);
    assert.equal((await site()).logo, logo);
    assert.equal((await admin.delete('/api/admin/settings/logo')).body.data.logo, '');
    assert.equal((await asVisitor(gallery).get(logo)).status, 404);
  });

  test('write each change to the audit log', async () => {
    await change({ name: 'Logged', default_quota_mb: 9 });
    await change({ name: 'Logged' });
    const { list } = assertRead(await admin.get('/api/admin/logs?action=site.update'));
    assert.deepEqual(list[0].details, { name: 'Logged', default_quota_mb: 9 });
    assert.notDeepEqual(list[1]?.details, list[0].details, 'a change to the same value is no entry');
  });

  test('obey environment variables, and say so', async () => {
    gallery.deps.config.siteName = 'From the environment';
    gallery.deps.config.defaultLevel = Level.members;
    const told = assertRead(await admin.get('/api/admin/settings'));
    assert.deepEqual(told.set_by_environment, ['name', 'default_visibility']);
    assert.deepEqual([told.name, told.default_visibility], ['From the environment', 'members']);
    const refused = await change({ name: 'Other', welcome: 'Hello' });
    assertRefused(refused, 400, invalid, ['name']);
    assert.match(JSON.stringify(refused.body.errors), /SITE_NAME/);
    assert.equal((await site()).welcome, '');
  });
});
