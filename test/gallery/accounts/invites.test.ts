/** Tests registration modes (everyone, invited people, nobody) and the validity of invites. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { RegistrationMode } from '../../../server/config.ts';
import { createSetupCode } from '../../../server/gallery/accounts/setup.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  type Answer,
  asVisitor,
  createPerson,
  type Person,
  password,
  registerAdmin,
} from '../../support/people.ts';

testRights([
  {
    endpoint: 'POST /api/admin/invites',
    codes: [401, 403, 403, 10006, 0],
    ask: (who) => who.post('/api/admin/invites', {}),
  },
  {
    endpoint: 'GET /api/admin/invites',
    codes: [401, 403, 403, 10006, 0],
    ask: (who) => who.get('/api/admin/invites'),
  },
  {
    endpoint: 'DELETE /api/admin/invites/{id}',
    codes: [401, 403, 403, 10006, 404],
    ask: (who) => who.delete('/api/admin/invites/987654321'),
  },
]);

const day = 86_400;
let number = 0;
let address = 0;

async function openGallery(registration: RegistrationMode): Promise<{ gallery: Gallery; root: Person }> {
  const gallery = await startGallery({ trustProxy: true });
  const root = await registerAdmin(gallery, 'root');
  gallery.deps.config.registration = registration;
  return { gallery, root };
}

/** Registers from an IP address that only this test uses, so that its rate limit is its own. */
function join(gallery: Gallery, more: object, name = `guest${++number}`): Promise<Answer> {
  return asVisitor(gallery).send('POST', '/api/auth/register', {
    body: JSON.stringify({ username: name, email: `${name}@example.org`, password, ...more }),
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.18.1.${address}` },
  });
}

function assertClosed(answer: Answer, says: RegExp): void {
  assertRefused(answer, 403, 10007);
  assert.match(answer.body.message, says);
}

const usernames = async ({ deps }: Gallery) =>
  (await deps.db.kysely.selectFrom('users').select('username').orderBy('id').execute()).map(
    ({ username }) => username,
  );

beforeEach(() => {
  address++;
});

describe('registration by invitation', () => {
  let gallery: Gallery;
  let root: Person;

  before(async () => {
    ({ gallery, root } = await openGallery('invite'));
  });
  after(() => gallery.close());

  const invite = async (wanted: object = {}) => assertWritten(await root.post('/api/admin/invites', wanted));
  const listed = async (id: number) =>
    assertRead(await root.get('/api/admin/invites?limit=100')).list.find(
      (one: { id: number }) => one.id === id,
    );

  test('needs an invite, says so, and tells nobody without one which names are taken', async () => {
    assert.equal(assertRead(await asVisitor(gallery).get('/api/site')).registration, 'invite');
    const before = await usernames(gallery);
    assertClosed(await join(gallery, {}), /needs an invite/);
    assertClosed(await join(gallery, { invite: null }), /needs an invite/);
    assertClosed(await join(gallery, {}, 'root'), /needs an invite/);
    assertClosed(await join(gallery, { invite: 'x'.repeat(43) }, 'root'), /invalid/);
    assert.deepEqual(await usernames(gallery), before);
  });

  test('an invite makes one account, which signs in at once; the admin sees who used it', async () => {
    const made = await invite();
    assert.equal(made.url, `${gallery.url}/join/${made.token}`);
    assert.match(made.token, /^[\w-]{43}$/);
    assert.deepEqual([made.email, made.uses, made.used, made.made_by], ['', 1, 0, 'root']);

    const answer = await join(gallery, { invite: made.token }, 'dora');
    const { user, token } = assertWritten(answer);
    const dora = createPerson(gallery, 'dora', token, user.id);
    assert.equal(assertRead(await dora.get('/api/auth/user')).is_admin, false);
    assertClosed(await join(gallery, { invite: made.token }), /invalid/);
    assert.deepEqual((await listed(made.id)).used, 1);

    const log = await root.get('/api/admin/logs?outcome=succeeded');
    // Keeps log entries without an IP address: login attempts have an address, and are written later in the
    // background.
    const acts = log.body.data.list.filter(({ address }: { address: string }) => address === '');
    const [joined, created] = acts;
    assert.deepEqual(
      [joined.action, joined.actor.username, joined.details],
      ['user.create', 'dora', { invite: made.id }],
    );
    assert.deepEqual(
      [created.action, created.target.type, created.details],
      ['invite.create', 'invite', { uses: 1, days: 7 }],
    );
    assert.ok(!log.bytes.includes(made.token));
  });

  test('stores the token as a hash alone and lists it nowhere', async () => {
    const made = await invite({ email: 'secret@example.org', uses: 3, expires: 30 });
    const rows = await gallery.deps.db.kysely.selectFrom('links').selectAll().execute();
    assert.ok(rows.length > 0);
    assert.ok(!JSON.stringify(rows).includes(made.token));
    const list = await root.get('/api/admin/invites');
    assert.ok(!list.bytes.includes(made.token));
    const [first] = assertRead(list).list;
    const { url, token, ...shown } = made;
    assert.deepEqual(first, shown);
  });

  test('accepts as many of many simultaneous registrations as the invite allows', async () => {
    const { token, id } = await invite({ uses: 3 });
    const names = Array.from({ length: 9 }, (_, at) => `racer${at}`);
    const answers = await Promise.all(names.map((name) => join(gallery, { invite: token }, name)));
    const codes = answers.map(({ body }) => body.code).sort();
    assert.deepEqual(codes, [0, 0, 0, 10007, 10007, 10007, 10007, 10007, 10007]);
    assert.equal((await usernames(gallery)).filter((name) => names.includes(name)).length, 3);
    assert.equal((await listed(id)).used, 3);
    assert.deepEqual(gallery.complaints(), []);
  });

  test('accepts only the address that the invite is for, however it is written', async () => {
    const { token } = await invite({ email: 'Edna@Example.org' });
    assertClosed(await join(gallery, { invite: token }), /invalid/);
    assertWritten(await join(gallery, { invite: token, email: 'edna@example.org' }));
  });

  test('counts no use for an account that is not created', async () => {
    const { token, id } = await invite();
    assertRefused(await join(gallery, { invite: token }, 'root'), 409, 10001);
    assertRefused(await join(gallery, { invite: token, email: 'root@example.org' }), 409, 10002);
    assertRefused(await join(gallery, { invite: token }, '12'), 400, 400, ['username']);
    assert.equal((await listed(id)).used, 0);
    assertWritten(await join(gallery, { invite: token }));
  });

  const logInForToken = async (username: string): Promise<string> =>
    assertWritten(await asVisitor(gallery).post('/api/auth/login', { username, password })).token;

  test('refuses a revoked invite, and answers 404 for an unknown one', async () => {
    const { token, id } = await invite({ uses: 5, email: null, expires: null });
    assertWritten(await join(gallery, { invite: token }));
    assertDone(await root.delete(`/api/admin/invites/${id}`));
    assertClosed(await join(gallery, { invite: token }), /invalid/);
    assertRefused(await root.delete(`/api/admin/invites/${id}`), 404, 404);
    const [entry] = assertRead(await root.get('/api/admin/logs?action=invite.delete')).list;
    assert.deepEqual([entry.action, entry.target.id], ['invite.delete', id]);
  });

  test('refuses values out of bounds, and API keys create no invites', async () => {
    const wrong = { email: 'no mail', expires: 366, uses: 0 };
    assertRefused(await root.post('/api/admin/invites', wrong), 400, 400, ['email', 'expires', 'uses']);
    const key = assertWritten(
      await root.post('/api/auth/tokens', { name: 'key', scopes: ['read', 'write'] }),
    );
    const robot = createPerson(gallery, 'root', key.token, root.id);
    assertRefused(await robot.post('/api/admin/invites', {}), 403, 403);
    assertRefused(await robot.get('/api/admin/invites'), 403, 403);
  });

  test('checks nothing more after ten attempts a minute from an address', async () => {
    const { token } = await invite();
    for (let tries = 0; tries < 10; tries++)
      assertClosed(await join(gallery, { invite: 'wrong' }), /invalid/);
    const answer = await join(gallery, { invite: token });
    assertRefused(answer, 429, 429);
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    address++;
    assertWritten(await join(gallery, { invite: token }));
  });

  test('counts no attempt for a valid invite, also where no account is created', async () => {
    const { token } = await invite({ uses: 20 });
    for (let n = 0; n < 12; n++) assertRefused(await join(gallery, { invite: token }, 'root'), 409, 10001);
    assertWritten(await join(gallery, { invite: token }));
  });

  test('accepts an invite that the command line created', async () => {
    const { code, out, error } = await runLightwell(gallery, [
      'user',
      'invite',
      '--uses',
      '2',
      '--email',
      'max@example.org',
    ]);
    assert.equal(code, 0, error);
    const token = /^http:\/\/localhost:\d+\/join\/([\w-]{43})\n$/.exec(out)![1];
    assertWritten(await join(gallery, { invite: token, email: 'max@example.org' }));
    const wrong = await runLightwell(gallery, ['user', 'invite', '--uses', 'many']);
    assert.equal(wrong.code, 1);
    assert.match(wrong.error, /^error: uses: /);
    const [entry] = assertRead(await root.get('/api/admin/logs?action=invite.create')).list;
    assert.equal(entry.actor.username, 'command line');
  });

  test('expires with its day and is purged a month later', async () => {
    const { token, id } = await invite({ expires: 2 });
    gallery.travel(2 * day + 1);
    assertClosed(await join(gallery, { invite: token }), /invalid/);
    const again = await createPerson(gallery, 'root', await logInForToken('root'), root.id).get(
      '/api/admin/invites',
    );
    assert.ok(assertRead(again).list.some((one: { id: number }) => one.id === id));
    gallery.travel(31 * day);
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    const { kysely } = gallery.deps.db;
    assert.equal(
      await kysely.selectFrom('invites').select('id').where('id', '=', id).executeTakeFirst(),
      undefined,
    );
    assert.deepEqual(await kysely.selectFrom('links').selectAll().where('invite_id', '=', id).execute(), []);
    root = createPerson(gallery, 'root', await logInForToken('root'), root.id);
  });
});

test("stays closed with an invite when registration is closed, except for the first admin's link", async (context) => {
  const { gallery, root } = await openGallery('invite');
  context.after(() => gallery.close());
  const { token } = assertWritten(await root.post('/api/admin/invites', {}));
  gallery.deps.config.registration = 'closed';
  assert.equal(assertRead(await asVisitor(gallery).get('/api/site')).registration, 'closed');
  assertClosed(await join(gallery, {}), /closed/);
  assertClosed(await join(gallery, { invite: token }), /closed/);
  assertClosed(await join(gallery, {}, 'root'), /closed/);
  assert.deepEqual(await usernames(gallery), ['root']);

  const fresh = await startGallery({ trustProxy: true, registration: 'closed' });
  context.after(() => fresh.close());
  const setup = await createSetupCode(fresh.deps);
  assertClosed(await join(fresh, {}), /closed/);
  assertWritten(await join(fresh, { setup }, 'first'));
  assertClosed(await join(fresh, {}), /closed/);
  assert.deepEqual(await usernames(fresh), ['first']);
});

test('accepts invites where everybody may register, and refuses an invalid one', async (context) => {
  const { gallery, root } = await openGallery('open');
  context.after(() => gallery.close());
  const { token } = assertWritten(await root.post('/api/admin/invites', {}));
  assertWritten(await join(gallery, { invite: token }));
  assertClosed(await join(gallery, { invite: token }), /invalid/);
  assertWritten(await join(gallery, {}));
});
