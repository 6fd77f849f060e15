/** Tests who can see the gallery: the setting, the first admin's choice, the command line, and several servers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSetupCode } from '../../../server/gallery/accounts/setup.ts';
import { warnAboutOpenRegistration } from '../../../server/gallery/site/access.ts';
import { createEnvironment, runLightwell, spawnCommand } from '../../support/command.ts';
import { startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, password, register } from '../../support/people.ts';

test('the command line closes and opens a running gallery, and asks before opening', async (context) => {
  const gallery = await startGallery();
  context.after(() => gallery.close());
  const owner = await register(gallery, 'owner');
  const photo = await addPhoto(owner);
  await addPhoto(owner, { is_public: '0' });
  const visitor = asVisitor(gallery);
  const run = (...args: string[]) => runLightwell(gallery, ['access', ...args]);

  assert.equal((await run()).out, 'public\nregistration: open\n');
  const closed = await run('members');
  assert.deepEqual([closed.code, closed.out], [0, 'members\nregistration: invite\n']);
  assert.equal((await visitor.get('/api/photos')).status, 401);
  assert.equal((await visitor.get(photo.thumb)).status, 401);
  const { data } = (await visitor.get('/api/site')).body;
  assert.deepEqual([data.access, data.registration], ['members', 'invite']);
  const joining = { username: 'stranger', email: 'stranger@example.org', password };
  assert.equal((await visitor.post('/api/auth/register', joining)).body.code, 10007);

  for (const input of ['', 'no\n']) {
    const refused = await runLightwell(gallery, ['access', 'public'], input);
    assert.equal(refused.code, 1);
    assert.match(refused.out, /^Without signing in, anyone will see 1 photo\.\nNothing was changed\.\n$/);
    assert.equal((await visitor.get('/api/photos')).status, 401);
  }
  const opened = await runLightwell(gallery, ['access', 'public'], 'yes\n');
  assert.equal(opened.code, 0, opened.error);
  assert.equal((await visitor.get('/api/photos')).status, 200);
  assert.equal((await visitor.get(photo.thumb)).status, 200);
  await run('members');
  const script = await run('public', '--yes');
  assert.match(script.out, /anyone will see 1 photo\.\npublic\n/);
  assert.equal((await visitor.get('/api/photos')).status, 200);

  const log = await gallery.deps.db.kysely
    .selectFrom('audit_log')
    .select(['actor', 'details'])
    .where('action', '=', 'access.update')
    .orderBy('id')
    .execute();
  const choices = log.map(({ actor, details }) => [actor, JSON.parse(details).access]);
  assert.deepEqual(choices, [
    ['command line', 'members'],
    ['command line', 'public'],
    ['command line', 'members'],
    ['command line', 'public'],
  ]);
  assert.deepEqual(gallery.complaints(), []);
});

test('the setting ACCESS overrides the stored choice, and the command says so', async (context) => {
  const gallery = await startGallery();
  context.after(() => gallery.close());
  await runLightwell(gallery, ['access', 'members']);
  const environment = { ...createEnvironment(gallery.deps.config), ACCESS: 'public' };
  const shown = await spawnCommand(environment, ['access']);
  assert.equal(shown.out, 'public (set by ACCESS)\nregistration: open\n');
  const refused = await spawnCommand(environment, ['access', 'members']);
  assert.equal(refused.code, 1);
  assert.match(refused.error, /^error: the setting ACCESS=public decides/);
});

test('every server of a gallery obeys a change at its next request', async (context) => {
  const first = await startGallery();
  context.after(() => first.close());
  const { databaseUrl, dataDir, storageUrl, storageKeys } = first.deps.config;
  const second = await startGallery({ dataDir, databaseUrl, ...(storageUrl && { storageUrl, storageKeys }) });
  context.after(() => second.close());
  const photo = await addPhoto(await register(first, 'owner'));
  const ask = async () => {
    const answers = [first, second].map(async (gallery) => [
      (await asVisitor(gallery).get('/api/photos')).status,
      (await asVisitor(gallery).get(photo.thumb)).status,
      (await asVisitor(gallery).get('/', { accept: 'text/html' })).status,
    ]);
    return Promise.all(answers);
  };
  const page = (await asVisitor(first).get('/sign-in')).status === 200 ? 303 : 200;
  assert.deepEqual(await ask(), [
    [200, 200, 200],
    [200, 200, 200],
  ]);
  await runLightwell(first, ['access', 'members']);
  assert.deepEqual(await ask(), [
    [401, 401, page],
    [401, 401, page],
  ]);
  await runLightwell(first, ['access', 'public', '--yes']);
  assert.deepEqual(await ask(), [
    [200, 200, 200],
    [200, 200, 200],
  ]);
});

test('the first admin chooses who can see the gallery, and nobody else', async (context) => {
  const gallery = await startGallery();
  context.after(() => gallery.close());
  const visitor = asVisitor(gallery);
  const account = { username: 'ansel', email: 'ansel@example.org', password };
  const early = { ...account, username: 'early', email: 'early@example.org', access: 'members' };
  assert.equal((await visitor.post('/api/auth/register', early)).status, 200);
  assert.equal((await visitor.get('/api/site')).body.data.access, 'public', 'without a setup link');
  await gallery.deps.db.kysely.deleteFrom('sessions').execute();
  await gallery.deps.db.kysely.deleteFrom('users').execute();

  const setup = await createSetupCode(gallery.deps);
  const made = await visitor.post('/api/auth/register', { ...account, setup, access: 'members' });
  assert.equal(made.status, 200);
  assert.equal((await visitor.get('/api/photos')).status, 401);
  const { data } = (await visitor.get('/api/site')).body;
  assert.deepEqual([data.access, data.registration, data.is_access_fixed], ['members', 'invite', false]);
  assert.equal((await visitor.post('/api/auth/register', early)).body.code, 10007);
});

test('ACCESS decides about a gallery whose first admin chooses otherwise', async (context) => {
  const gallery = await startGallery({ access: 'members' });
  context.after(() => gallery.close());
  const visitor = asVisitor(gallery);
  const setup = await createSetupCode(gallery.deps);
  const account = { username: 'ansel', email: 'ansel@example.org', password, setup, access: 'public' };
  assert.equal((await visitor.post('/api/auth/register', account)).status, 200);
  assert.equal((await visitor.get('/api/photos')).status, 401);
  assert.equal((await visitor.get('/api/site')).body.data.is_access_fixed, true);
});

test('a start warns about open registration, and about a gallery that a setting opened', async (context) => {
  const gallery = await startGallery({ access: 'members', registration: 'open' });
  context.after(() => gallery.close());
  await addPhoto(await register(gallery, 'owner'));
  const messages = () => gallery.complaints().map((line) => JSON.parse(line).msg);
  const start = (config: object) =>
    warnAboutOpenRegistration({ ...gallery.deps, config: { ...gallery.deps.config, ...config } });
  await start({ registration: undefined });
  assert.deepEqual(messages(), []);
  await start({});
  assert.match(messages()[0], /REGISTRATION=open lets anyone become a member/);
  await start({ access: 'public' });
  assert.match(messages()[1], /now open: anyone can see 1 photos/);
  await start({ access: 'public' });
  assert.equal(messages().length, 2);
});
