/**
 * Tests account recovery: a forgotten password by mail or by an admin's link, and a change of the email
 * address.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  assertLinkInvalid,
  type GalleryWithMail,
  readLinkToken,
  startGalleryWithMail,
  waitForMail,
} from '../../support/mail.ts';
import {
  createPerson,
  disableAccount,
  logIn,
  type Person,
  password,
  postFrom,
  register,
  registerAdmin,
} from '../../support/people.ts';

const anybody = [400, 400, 400, 400, 400] as const;
testRights([
  {
    endpoint: 'POST /api/auth/forgot',
    codes: [...anybody],
    ask: (who) => who.post('/api/auth/forgot', {}),
  },
  {
    endpoint: 'POST /api/auth/reset',
    codes: [...anybody],
    ask: (who) => who.post('/api/auth/reset', {}),
  },
  {
    endpoint: 'POST /api/auth/email/confirm',
    codes: [400, 400, 400, 10006, 400],
    ask: (who) => who.post('/api/auth/email/confirm', {}),
  },
  {
    endpoint: 'PUT /api/auth/email',
    codes: [401, 10005, 10005, 10006, 10005],
    ask: (who) => who.put('/api/auth/email', { email: 'new@example.org', password: 'wrong' }),
  },
  {
    endpoint: 'POST /api/admin/users/{id}/reset-link',
    codes: [401, 403, 403, 10006, 0],
    ask: (who, { owner }) => who.post(`/api/admin/users/${owner}/reset-link`),
  },
]);

let address = 0;
let number = 0;
const newPassword = 'another horse 8';

beforeEach(() => {
  address++;
});

describe('a forgotten password', () => {
  let posted: GalleryWithMail;
  let gallery: Gallery;
  let root: Person;

  before(async () => {
    posted = await startGalleryWithMail();
    gallery = posted.gallery;
    root = await registerAdmin(gallery, 'root');
  });
  after(() => posted.close());

  const someone = () => register(gallery, `person${++number}`);
  const getEmail = ({ name }: Person) => `${name}@example.org`;
  const forgot = (email: string) => postFrom(gallery, `198.18.3.${address}`, '/api/auth/forgot', { email });
  const reset = (token: string, more: object = {}) =>
    postFrom(gallery, `198.18.3.${address}`, '/api/auth/reset', { token, password: newPassword, ...more });

  async function tokenFor(who: Person): Promise<string> {
    const before = posted.server.sentTo(getEmail(who)).length;
    assertDone(await forgot(getEmail(who)));
    return readLinkToken(await posted.server.latest(getEmail(who), before), '/reset#');
  }

  test('is replaced by a link that works once, ends all sessions, and notifies the owner', async () => {
    const who = await someone();
    const elsewhere = await logIn(gallery, who);
    const token = await tokenFor(who);
    const { token: key } = assertWritten(
      await who.post('/api/auth/tokens', { name: 'key', scopes: ['read'] }),
    );
    assertDone(await reset(token));
    for (const session of [who, elsewhere]) assertRefused(await session.get('/api/auth/user'), 401, 10006);
    assertRead(await createPerson(gallery, 'key', key, who.id).get('/api/auth/user'));
    await assert.rejects(logIn(gallery, who), /10003/);
    const again = await logIn(gallery, who, newPassword);
    assertLinkInvalid(await reset(token, { password: 'of the thief' }));
    assertRead(await again.get('/api/auth/user'));
    const letter = await posted.server.latest(getEmail(who), 1);
    assert.match(letter.mail.subject!, /was changed/);
    assert.doesNotMatch(letter.mail.text!, /https?:/);
    const [entry] = assertRead(await root.get('/api/admin/logs?action=user.update')).list;
    assert.deepEqual([entry.actor.username, entry.target.name], [who.name, who.name]);
    assert.deepEqual(entry.details, { password: true, by_link: true });
  });

  test('ends API keys as well when end_keys is set', async () => {
    const who = await someone();
    const { token: key } = assertWritten(
      await who.post('/api/auth/tokens', { name: 'key', scopes: ['read'] }),
    );
    assertDone(await reset(await tokenFor(who), { end_keys: true }));
    assertRefused(await createPerson(gallery, 'key', key, who.id).get('/api/auth/user'), 401, 10006);
  });

  test('answers the same, and works as much, whether an account has the address or not', async () => {
    const who = await someone();
    const gone = await someone();
    await disableAccount(gallery, gone);
    const answers = [];
    for (const email of [getEmail(who), `no${++number}@example.org`, getEmail(gone)])
      answers.push(await forgot(email));
    const [known, ...others] = answers.map(({ status, body, headers }) => ({
      status,
      body,
      headers: [...headers.keys()].sort(),
    }));
    for (const other of others) assert.deepEqual(other, known);
    const rows = await gallery.deps.db.kysely
      .selectFrom('mails')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(3)
      .execute();
    assert.deepEqual(new Set(rows.map(({ kind, user_id }) => `${kind} ${user_id}`)), new Set(['reset null']));
    await waitForMail(gallery);
    assert.equal(posted.server.sentTo(getEmail(gone)).length, 0);
    assert.equal(posted.server.sentTo(getEmail(who)).length, 1);
  });

  test('is limited per caller and per address typed in, known or not', async () => {
    const who = await someone();
    for (const email of [getEmail(who), `no${++number}@example.org`]) {
      for (let tries = 0; tries < 3; tries++) assertDone(await forgot(email));
      address++;
      assertRefused(await forgot(email.toUpperCase()), 429, 429);
    }
    address++;
    for (let tries = 0; tries < 10; tries++) assertDone(await forgot(`other${tries}@example.org`));
    assertRefused(await forgot('other10@example.org'), 429, 429);
    address++;
    for (let tries = 0; tries < 10; tries++) assertLinkInvalid(await reset('guessed'));
    assertRefused(await reset('guessed'), 429, 429);
  });

  test('is replaced by one of several simultaneous resets', async () => {
    const who = await someone();
    const token = await tokenFor(who);
    const wanted = Array.from({ length: 6 }, (_, at) => `race horse ${at}`);
    const answers = await Promise.all(wanted.map((one) => reset(token, { password: one })));
    assert.deepEqual(answers.map(({ body }) => body.code).sort(), [0, 403, 403, 403, 403, 403]);
    await logIn(gallery, who, wanted[answers.findIndex(({ body }) => body.code === 0)]);
  });

  test('expires its link with its hour, with a new password, and while the account is disabled', async () => {
    const [late, changed, gone] = [await someone(), await someone(), await someone()];
    const tokens = [await tokenFor(changed), await tokenFor(gone), await tokenFor(late)] as const;
    assertDone(await changed.put('/api/auth/password', { old_password: password, new_password: 'my own 9' }));
    assertLinkInvalid(await reset(tokens[0]));
    await disableAccount(gallery, gone);
    assertLinkInvalid(await reset(tokens[1]));
    gallery.travel(3601);
    assertLinkInvalid(await reset(tokens[2]));
    await logIn(gallery, late);
  });

  test('sends no mail to an address that only looks like the address of an account', async () => {
    const who = await someone();
    // Folding makes both email addresses equal, but a mailbox with this name may belong to somebody else.
    const alike = getEmail(who).replace('person', 'PERſON');
    const answer = await forgot(alike);
    if (answer.body.code === 0) await waitForMail(gallery);
    assert.equal(posted.server.sentTo(alike).length, 0);
  });

  test('can be replaced by a link of an admin, but not of an API key; the log omits the token', async () => {
    const who = await someone();
    const made = assertWritten(await root.post(`/api/admin/users/${who.id}/reset-link`));
    assert.equal(made.expires_in, 3600);
    const token = made.url.split('#')[1];
    assertDone(await reset(token));
    await logIn(gallery, who, newPassword);
    const log = await root.get('/api/admin/logs?action=user.update');
    assert.ok(assertRead(log).list.some(({ details }: { details: object }) => 'reset_link' in details));
    assert.ok(!log.bytes.includes(token));
    assertRefused(await root.post('/api/admin/users/987654321/reset-link'), 404, 50001);
    const key = assertWritten(await root.post('/api/auth/tokens', { name: 'k', scopes: ['read', 'write'] }));
    const robot = createPerson(gallery, 'root', key.token, root.id);
    assertRefused(await robot.post(`/api/admin/users/${who.id}/reset-link`), 403, 403);
  });
});

test('sends nothing without mail: an address counts at once, and a link comes from the command line', async (context) => {
  const gallery = await startGallery({ trustProxy: true });
  context.after(() => gallery.close());
  const [who, other] = [await register(gallery, 'ansel'), await register(gallery, 'dora')];
  assert.equal(assertRead(await who.get('/api/site')).mail, false);
  assertRefused(
    await postFrom(gallery, `198.18.3.${address}`, '/api/auth/forgot', { email: 'ansel@example.org' }),
    403,
    403,
  );
  const taken = await who.put('/api/auth/email', { email: 'DORA@example.org', password });
  assertRefused(taken, 409, 10002);
  const { email } = assertWritten(await who.put('/api/auth/email', { email: 'new@example.org', password }));
  assert.equal(email, 'new@example.org');
  assert.equal(assertRead(await who.get('/api/auth/user')).email, 'new@example.org');

  const { code, out, error } = await runLightwell(gallery, ['user', 'reset-link', 'dora']);
  assert.equal(code, 0, error);
  const token = /^http:\/\/localhost:\d+\/reset#([\w-]{43})\n$/.exec(out)![1];
  assertDone(
    await postFrom(gallery, `198.18.3.${address}`, '/api/auth/reset', { token, password: newPassword }),
  );
  await logIn(gallery, other, newPassword);
  assert.deepEqual(await gallery.deps.db.kysely.selectFrom('mails').selectAll().execute(), []);
});
