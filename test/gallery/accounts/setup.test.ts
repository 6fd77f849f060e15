/**
 * Tests the one-time setup link of a gallery without an admin: its code makes one person the admin, and
 * nobody becomes admin by being first.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createSetupCode } from '../../../server/gallery/accounts/setup.ts';
import { removeLocationSettings } from '../../../server/tools/transfer/tables.ts';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, createPerson, password, register } from '../../support/people.ts';

testRights([
  {
    endpoint: 'POST /api/auth/setup',
    // Sends no code: a role that passes the guard gets the error for the missing field.
    codes: [401, 400, 400, 10006, 400],
    ask: (who) => who.post('/api/auth/setup', {}),
  },
]);

describe('the one-time link', () => {
  let gallery: Gallery;
  let number = 0;
  let address = 0;

  before(async () => {
    // Trusts the proxy header, so that each test has an IP address and a rate limit of its own.
    gallery = await startGallery({ trustProxy: true });
  });
  after(() => gallery.close());
  /** Deletes all accounts and setup codes before each test. */
  beforeEach(async () => {
    const { kysely } = gallery.deps.db;
    await kysely.deleteFrom('users').execute();
    await kysely.deleteFrom('settings').where('name', 'like', 'setup: %').execute();
    address++;
  });

  const offer = async (port = gallery.deps.config.port) =>
    (await createSetupCode({ ...gallery.deps, config: { ...gallery.deps.config, port } }))!;

  function registerWith(setup: unknown, name = `person${++number}`) {
    return asVisitor(gallery).send('POST', '/api/auth/register', {
      body: JSON.stringify({ username: name, email: `${name}@example.org`, password, setup }),
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.18.0.${address}` },
    });
  }

  const named = (name: string) =>
    gallery.deps.db.kysely.selectFrom('users').selectAll().where('username', '=', name).executeTakeFirst();
  const admins = () =>
    gallery.deps.db.kysely.selectFrom('users').select('username').where('is_admin', '=', 1).execute();
  const kept = () =>
    gallery.deps.db.kysely.selectFrom('settings').selectAll().where('name', 'like', 'setup: %').execute();

  test('creates one admin, who is signed in at once and logged; then the link is used up', async () => {
    const code = await offer();
    assert.match(code, /^[\w-]{43}$/);
    const { status, body } = await registerWith(code, 'ansel');
    assert.equal(status, 200);
    const ansel = createPerson(gallery, 'ansel', body.data.token, body.data.user.id);
    assert.equal((await ansel.get('/api/auth/user')).body.data.is_admin, true);
    const log = await ansel.get('/api/admin/logs?action=user.create');
    const entry = log.body.data.list.find(({ address }: { address: string }) => address === '');
    assert.equal(entry.action, 'user.create');
    assert.equal(entry.actor.username, 'ansel');
    assert.deepEqual(entry.details, { is_admin: true, setup: true });
    assert.ok(!JSON.stringify(log.body).includes(code));

    const again = await registerWith(code, 'late');
    assert.equal(again.status, 403);
    assert.equal(again.body.code, 403);
    assert.match(again.body.message, /invalid or has expired/);
    assert.equal(await named('late'), undefined);
    assert.deepEqual(await admins(), [{ username: 'ansel' }]);
    assert.deepEqual(await kept(), []);
  });

  test('creates no account once one exists, and stays valid to make that one the admin', async () => {
    const code = await offer();
    const first = await register(gallery, 'first');
    assert.deepEqual(await admins(), []);
    const { status, body } = await registerWith(code, 'ansel');
    assert.deepEqual([status, body.code], [403, 403]);
    assert.match(body.message, /already has accounts/);
    assert.equal(await named('ansel'), undefined);
    assert.equal((await first.post('/api/auth/setup', { setup: code })).status, 200);
    assert.deepEqual(await admins(), [{ username: 'first' }]);
  });

  test('stores its code as a hash alone, and archives do not contain it', async () => {
    const code = await offer();
    const [row] = await kept();
    assert.ok(!row!.value.includes(code));
    assert.deepEqual(
      removeLocationSettings([
        [row!.name, row!.value],
        ['secret', 's'],
      ]),
      [['secret', 's']],
    );
  });

  test('creates one account for several simultaneous requests', async () => {
    const code = await offer();
    const names = Array.from({ length: 6 }, (_, at) => `racer${at}`);
    const answers = await Promise.all(names.map((name) => registerWith(code, name)));
    const codes = answers.map(({ body }) => body.code).sort();
    assert.deepEqual(codes, [0, 403, 403, 403, 403, 403]);
    const made = await gallery.deps.db.kysely
      .selectFrom('users')
      .select(['username', 'is_admin'])
      .where('username', 'in', names)
      .execute();
    assert.equal(made.length, 1);
    assert.equal(made[0]!.is_admin, 1);
    assert.deepEqual(gallery.complaints(), []);
  });

  test('creates nothing with a wrong code, and checks no code after ten a minute', async () => {
    const code = await offer();
    for (let tries = 0; tries < 10; tries++) {
      const wrong = code.slice(1) + (code.startsWith('A') ? 'B' : 'A');
      const { body } = await registerWith(tries % 2 === 0 ? wrong : 'short', 'guesser');
      assert.equal(body.code, 403);
    }
    const { status, headers, body } = await registerWith(code, 'guesser');
    assert.equal(status, 429);
    assert.equal(body.code, 429);
    assert.ok(Number(headers.get('retry-after')) >= 1);
    assert.equal(await named('guesser'), undefined);
    assert.equal(
      (await registerWith(undefined, 'ordinary')).status,
      200,
      'without a code nothing is counted',
    );
  });

  test('expires after an hour', async () => {
    const code = await offer();
    gallery.travel(3601);
    assert.equal((await registerWith(code)).body.code, 403);
    const next = await offer();
    assert.equal((await registerWith(next)).body.code, 0);
  });

  test('expires with the next start of its server, not of another one; the first use expires all', async () => {
    const before = await offer();
    const other = await offer(3001);
    const now = await offer();
    assert.equal((await registerWith(before)).body.code, 403);
    assert.equal((await registerWith(other)).body.code, 0);
    await gallery.deps.db.kysely.deleteFrom('users').execute();
    assert.equal((await registerWith(now)).body.code, 403);
  });

  test('is neither created nor valid where an admin can log in', async () => {
    const code = await offer();
    const ann = await register(gallery, 'commanded');
    const { kysely } = gallery.deps.db;
    await kysely.updateTable('users').set({ is_admin: 1 }).where('id', '=', ann.id).execute();
    assert.equal((await registerWith(code)).body.code, 403);
    assert.equal(await offer(), undefined);
    assert.deepEqual(await kept(), []);
  });

  test('stays valid when the account is refused; null counts as no link', async () => {
    const code = await offer();
    assert.equal((await registerWith(code, '12')).body.code, 400);
    assert.equal((await registerWith(code, 'right')).body.code, 0);
    assert.deepEqual(await admins(), [{ username: 'right' }]);
    assert.equal((await registerWith(null, 'plain')).body.code, 0);
    assert.deepEqual(await admins(), [{ username: 'right' }]);
  });

  test('makes an existing account the admin, in a session and never by an API key', async () => {
    const code = await offer();
    const dora = await register(gallery, 'dora');
    const key = await dora.post('/api/auth/tokens', { name: 'program', scopes: ['read', 'write'] });
    const program = createPerson(gallery, 'dora', key.body.data.token, dora.id);
    assert.equal((await program.post('/api/auth/setup', { setup: code })).status, 403);
    assert.equal((await asVisitor(gallery).post('/api/auth/setup', { setup: code })).status, 401);
    assert.equal((await dora.post('/api/auth/setup', { setup: 'wrong' })).status, 403);
    assert.equal((await dora.get('/api/admin/users')).status, 403);

    assert.equal((await dora.post('/api/auth/setup', { setup: code })).status, 200);
    assert.equal((await dora.get('/api/auth/user')).body.data.is_admin, true);
    const [entry] = (await dora.get('/api/admin/logs?action=user.update')).body.data.list;
    assert.equal(entry.action, 'user.update');
    assert.equal(entry.target.name, 'dora');
    assert.deepEqual(entry.details, { is_admin: true, setup: true });
    const edna = await register(gallery, 'edna');
    assert.equal((await edna.post('/api/auth/setup', { setup: code })).status, 403);
  });
});
