/** Tests the audit log of account actions: each action, each outcome, and no secret. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { assertDone, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { assertAuditLog, type LoggedAttempt, readAuditLog, startNextHour } from '../../support/audit-log.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { eventually } from '../../support/gallery-counts.ts';
import type { Gallery } from '../../support/harness.ts';
import { type GalleryWithMail, publicUrl, readLinkToken, startGalleryWithMail } from '../../support/mail.ts';
import {
  type Answer,
  asVisitor,
  disableAccount,
  logIn,
  type Person,
  password,
  postFrom,
  register,
  registerAdmin,
} from '../../support/people.ts';

const day = 86_400;
const wrong = 'a wrong secret 5';
/** The two log entries of each new account: the action itself, and the attempt with its IP address. */
const created = Array<LoggedAttempt>(2).fill(['user.create', 'succeeded', '', 1]);

describe('attempts in the audit log', () => {
  let gallery: Gallery;
  let posted: GalleryWithMail;
  let root: Person;
  /** Texts that the log must never contain. */
  const secrets: string[] = [password, wrong];

  before(async () => {
    posted = await startGalleryWithMail();
    gallery = posted.gallery;
    startNextHour(gallery);
    root = await registerAdmin(gallery, 'root');
    secrets.push(root.token!);
  });
  after(() => posted.close());

  const logs = (query: string) => readAuditLog(root, query);
  const assertLog = (query: string, expected: LoggedAttempt[]) => assertAuditLog(root, query, expected);

  const login = (address: string, username: string, secret = wrong): Promise<Answer> =>
    postFrom(gallery, address, '/api/auth/login', { username, password: secret });

  const withBody = (who: Person, method: string, path: string, body: object) =>
    who.send(method, path, {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.7' },
    });

  test('count a sign-in by password in one row each for success, refusal and limit', async () => {
    const victim = await register(gallery, 'victim');
    for (let n = 0; n < 10; n++) assertRefused(await login('192.0.2.1', 'victim'), 401, 10003);
    for (let n = 0; n < 3; n++) assertRefused(await login('192.0.2.1', 'VICTIM'), 429, 429);
    assertWritten(await login('192.0.2.2', 'victim', password));
    await disableAccount(gallery, victim);
    assertRefused(await login('192.0.2.3', 'victim', password), 403, 10004);
    await assertLog('actor=victim&action=login.password', [
      ['login.password', 'refused', 'wrongLogin', 10],
      ['login.password', 'limited', 'tooManyRequests', 3],
      ['login.password', 'succeeded', '', 1],
      ['login.password', 'refused', 'accountDisabled', 1],
    ]);
    const [limited] = await logs('actor=victim&outcome=limited');
    assert.deepEqual(limited!.actor, { id: victim.id, username: 'victim' });
    assert.deepEqual(limited!.target, { type: 'user', id: victim.id, name: 'victim' });
    assert.equal(limited!.address, '192.0.2.1');
    assert.ok(limited!.last_time >= limited!.create_time);
  });

  test('omit a name that no account has: it may be a password', async () => {
    secrets.push('hunter2 typed too early');
    for (let n = 0; n < 2; n++) await login('192.0.2.9', 'hunter2 typed too early');
    await login('192.0.2.9', 'another one that is none');
    await eventually(async () => {
      const rows = (await logs('action=login.password')).filter(({ address }) => address === '192.0.2.9');
      assert.deepEqual(
        rows.map(({ actor, target, count }) => [actor.id, actor.username, target.id, target.name, count]),
        [[null, '', 0, '', 3]],
      );
    });
  });

  test('store registrations and count refused ones', async () => {
    await register(gallery, 'newcomer');
    const again = { username: 'newcomer', email: 'n@example.org', password: wrong };
    assertRefused(await postFrom(gallery, '192.0.2.20', '/api/auth/register', again), 409, 10001);
    const invited = { ...again, username: 'by-invite', invite: 'no-such-invite-1234' };
    secrets.push(invited.invite);
    for (let n = 0; n < 10; n++) {
      assertRefused(await postFrom(gallery, '192.0.2.20', '/api/auth/register', invited), 403, 10007);
    }
    assertRefused(await postFrom(gallery, '192.0.2.20', '/api/auth/register', invited), 429, 429);
    await assertLog('action=user.create&outcome=refused', [
      ['user.create', 'refused', 'usernameTaken', 1],
      ['user.create', 'refused', 'registrationClosed', 10],
    ]);
    await assertLog('action=user.create&outcome=limited', [['user.create', 'limited', 'tooManyRequests', 1]]);
    await assertLog('actor=newcomer&action=user.create', created);
    const told = await logs('actor=newcomer&action=user.create');
    assert.deepEqual(told.map(({ address }) => address).sort(), ['', '127.0.0.1'], 'acts have none');
  });

  test('record the second factor: started, confirmed, requested, used, renewed and removed', async () => {
    const who = await register(gallery, 'careful');
    assertRefused(await who.post('/api/auth/totp', { password: wrong }), 400, 10005);
    const { secret } = assertWritten(await who.post('/api/auth/totp', { password }));
    const totp = new TOTP({ secret: Secret.fromBase32(secret), period: 30 });
    const code = (step: number) => totp.generate({ timestamp: gallery.deps.clock() * 1000 + step * 30_000 });
    assertRefused(await who.post('/api/auth/totp/confirm', { code: '000000' }), 400, 10009);
    const { recovery_codes } = assertWritten(await who.post('/api/auth/totp/confirm', { code: code(0) }));
    secrets.push(secret, ...recovery_codes);
    const asked = await login('192.0.2.30', 'careful', password);
    assert.deepEqual([asked.status, asked.body.code], [401, 10008]);
    const { challenge } = asked.body.data;
    secrets.push(challenge);
    const second = (given: string) =>
      postFrom(gallery, '192.0.2.30', '/api/auth/login/second', { challenge, code: given });
    assertRefused(await second('badc-0de0'), 400, 10009);
    secrets.push('badc-0de0');
    assertWritten(await second(recovery_codes[0]));
    assertRefused(await second(recovery_codes[1]), 401, 10003);
    const renewed = assertWritten(await who.post('/api/auth/totp/recovery-codes', { password }));
    secrets.push(...renewed.recovery_codes);
    assertRefused(await who.post('/api/auth/totp/recovery-codes', { password: wrong }), 400, 10005);
    assertRefused(await withBody(who, 'DELETE', '/api/auth/totp', { password: wrong }), 400, 10005);
    assertDone(await withBody(who, 'DELETE', '/api/auth/totp', { password }));
    await assertLog('actor=careful', [
      ...created,
      ['factor.create', 'refused', 'wrongOldPassword', 1],
      ['factor.confirm', 'refused', 'wrongCode', 1],
      ['user.update', 'succeeded', '', 1],
      ['login.password', 'succeeded', 'secondFactor', 1],
      ['login.second', 'refused', 'wrongCode', 1],
      ['login.second', 'succeeded', '', 1],
      ['user.update', 'succeeded', '', 1],
      ['user.update', 'succeeded', '', 1],
      ['factor.codes', 'refused', 'wrongOldPassword', 1],
      ['factor.delete', 'refused', 'wrongOldPassword', 1],
      ['user.update', 'succeeded', '', 1],
    ]);
    const acts = await logs('actor=careful&action=user.update');
    assert.deepEqual(
      acts.map(({ details }) => details),
      [
        { second_factor: false },
        { recovery_codes_left: 10 },
        { recovery_codes_left: 9 },
        { second_factor: true },
      ],
    );
  });

  test('record passkeys: added, used, refused, deleted', async () => {
    const who = await register(gallery, 'modern');
    const authenticator = createAuthenticator(publicUrl);
    assertRefused(await who.post('/api/auth/passkeys/options', { password: wrong }), 400, 10005);
    const options = assertWritten(await who.post('/api/auth/passkeys/options', { password }));
    const made = authenticator.create(options);
    const { id } = assertWritten(
      await who.post('/api/auth/passkeys', { name: 'Phone of mine', response: made }),
    );
    assertRefused(await who.post('/api/auth/passkeys', { name: 'Phone', response: made }), 400, 400, [
      'response',
    ]);
    const ask = async () =>
      assertWritten(await postFrom(gallery, '192.0.2.40', '/api/auth/login/passkey/options', {}));
    const response = authenticator.get(await ask());
    const { signature } = (response as { response: { signature: string } }).response;
    secrets.push(signature, 'Phone of mine');
    assertWritten(await postFrom(gallery, '192.0.2.40', '/api/auth/login/passkey', { response }));
    assertRefused(await postFrom(gallery, '192.0.2.40', '/api/auth/login/passkey', { response }), 401, 10003);
    assertDone(await who.delete(`/api/auth/passkeys/${id}`));
    assertRefused(await who.delete(`/api/auth/passkeys/${id}`), 404, 404);
    await assertLog('actor=modern', [
      ...created,
      ['passkey.create', 'refused', 'wrongOldPassword', 1],
      ['passkey.create', 'succeeded', '', 1],
      ['passkey.create', 'refused', 'invalid', 1],
      ['login.passkey', 'succeeded', '', 1],
      ['login.passkey', 'refused', 'wrongLogin', 1],
      ['passkey.delete', 'succeeded', '', 1],
      ['passkey.delete', 'refused', 'notFound', 1],
    ]);
  });

  test('record a forgotten password: requested, limited, used by a valid and an invalid link', async () => {
    const who = await register(gallery, 'dreamer');
    const forgot = (email: string) => postFrom(gallery, '192.0.2.50', '/api/auth/forgot', { email });
    for (let n = 0; n < 3; n++) assertDone(await forgot('Dreamer@Example.org'));
    assertRefused(await forgot('dreamer@example.org'), 429, 429);
    assertDone(await forgot('stranger@example.org'));
    const token = readLinkToken(await posted.server.latest('dreamer@example.org'), '/reset#');
    secrets.push(token, 'stranger@example.org');
    const reset = (given: string, secret: string) =>
      postFrom(gallery, '192.0.2.50', '/api/auth/reset', { token: given, password: secret });
    assertRefused(await reset('A'.repeat(43), wrong), 403, 403);
    assertDone(await reset(token, 'yet another horse 9'));
    secrets.push('yet another horse 9', 'A'.repeat(43));
    await assertLog('actor=dreamer', [
      ...created,
      ['password.forgot', 'succeeded', '', 3],
      ['password.forgot', 'limited', 'tooManyRequests', 1],
      ['password.reset', 'succeeded', '', 1],
      ['user.update', 'succeeded', '', 1],
    ]);
    await eventually(async () => {
      const unknown = (await logs('')).filter(({ address, actor }) => address === '192.0.2.50' && !actor.id);
      const said = unknown.map(({ action, outcome, count }) => [action, outcome, count]);
      assert.deepEqual(said.sort(), [
        ['password.forgot', 'succeeded', 1],
        ['password.reset', 'refused', 1],
      ]);
    });
    assertRefused(await who.get('/api/auth/user'), 401, 10006);
  });

  test('record changes of password, address, keys, sessions and deletion by a signed-in user', async () => {
    const who = await register(gallery, 'tidy');
    assertRefused(
      await who.put('/api/auth/password', { old_password: wrong, new_password: wrong }),
      400,
      10005,
    );
    assertDone(await who.put('/api/auth/password', { old_password: password, new_password: password }));
    assertRefused(await who.put('/api/auth/email', { email: 'x@example.org', password: wrong }), 400, 10005);
    assertWritten(await who.put('/api/auth/email', { email: 'x@example.org', password }));
    const token = readLinkToken(await posted.server.latest('x@example.org'), '/confirm-email#');
    assertRefused(
      await postFrom(gallery, '192.0.2.60', '/api/auth/email/confirm', { token: 'B'.repeat(43) }),
      403,
      403,
    );
    assertWritten(await postFrom(gallery, '192.0.2.60', '/api/auth/email/confirm', { token }));
    const key = assertWritten(await who.post('/api/auth/tokens', { name: 'key of mine', expires: 1 }));
    secrets.push(token, key.token, 'key of mine');
    const expired = { ...who, token: key.token };
    const other = await logIn(gallery, { ...who, name: 'x@example.org' });
    secrets.push(other.token!, who.token!);
    assertDone(await other.post('/api/auth/logout'));
    assertRefused(await withBody(who, 'DELETE', '/api/auth/user', { password: wrong }), 400, 10005);
    gallery.travel(day);
    assertRefused(await bearer(expired.token!), 401, 10006);
    assertDone(await who.delete(`/api/auth/tokens/${key.id}`));
    assertRefused(await who.delete(`/api/auth/tokens/${key.id}`), 404, 404);
    const expected: LoggedAttempt[] = [
      ...created,
      ['password.change', 'refused', 'wrongOldPassword', 1],
      ['user.update', 'succeeded', '', 1],
      ['email.change', 'refused', 'wrongOldPassword', 1],
      ['email.change', 'succeeded', '', 1],
      ['email.confirm', 'succeeded', '', 1],
      ['user.update', 'succeeded', '', 1],
      ['key.create', 'succeeded', '', 1],
      ['login.password', 'succeeded', '', 1],
      ['session.delete', 'succeeded', '', 1],
      ['user.delete', 'refused', 'wrongOldPassword', 1],
      ['token.use', 'refused', 'badToken', 1],
      ['key.delete', 'succeeded', '', 1],
      ['key.delete', 'refused', 'notFound', 1],
    ];
    await assertLog('actor=tidy', expected);
    // Deletes the account only after all entries are written, because a later entry would find no account.
    assertDone(await withBody(who, 'DELETE', '/api/auth/user', { password }));
    await assertLog('actor=tidy', [...expected, ['user.delete', 'succeeded', '', 1]]);
  });

  const bearer = (token: string) =>
    asVisitor(gallery).send('GET', '/api/auth/user', {
      headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '192.0.2.70' },
    });

  test('count an invented token, which is refused everywhere', async () => {
    secrets.push(`lw_${'C'.repeat(43)}`);
    for (let n = 0; n < 3; n++) assertRefused(await bearer(`lw_${'C'.repeat(43)}`), 401, 10006);
    await eventually(async () => {
      const rows = (await logs('action=token.use')).filter(({ address }) => address === '192.0.2.70');
      const unknown = rows.filter(({ actor }) => actor.id === null);
      assert.deepEqual(
        unknown.map(({ count }) => count),
        [3],
      );
    });
  });

  test('contain none of the secrets that were used here', async () => {
    const rows = await gallery.deps.db.kysely.selectFrom('audit_log').selectAll().execute();
    const all = JSON.stringify(rows);
    assert.ok(rows.length > 30 && secrets.length > 20, `${rows.length} rows, ${secrets.length} secrets`);
    for (const secret of secrets) assert.ok(!all.includes(secret), secret);
    assert.ok(!all.includes('argon2'));
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
