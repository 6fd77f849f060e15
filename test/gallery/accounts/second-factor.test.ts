/**
 * Tests the second factor: setup, the code after the password, one use per code, and recovery of a lost app.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { createGallerySecret } from '../../../server/platform/db/secret.ts';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  type Answer,
  asVisitor,
  createPerson,
  disableAccount,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';

const withBody = (who: Person, method: string, path: string, body: object, headers = {}): Promise<Answer> =>
  who.send(method, path, {
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
const off = (who: Person, secret = password) =>
  withBody(who, 'DELETE', '/api/auth/totp', { password: secret });

testRights([
  {
    endpoint: 'POST /api/auth/login/second',
    codes: [400, 400, 400, 400, 400],
    ask: (who) => who.post('/api/auth/login/second', {}),
  },
  { endpoint: 'GET /api/auth/totp', codes: [401, 0, 0, 10006, 0], ask: (who) => who.get('/api/auth/totp') },
  ...['', '/recovery-codes'].map((path) => ({
    endpoint: `POST /api/auth/totp${path}`,
    codes: [401, 10005, 10005, 10006, 10005] as [number, number, number, number, number],
    ask: (who: Person) => who.post(`/api/auth/totp${path}`, { password: 'wrong' }),
  })),
  {
    endpoint: 'POST /api/auth/totp',
    codes: [401, 400, 400, 10006, 400],
    ask: (who) => who.post('/api/auth/totp', {}),
  },
  {
    endpoint: 'POST /api/auth/totp/recovery-codes',
    codes: [401, 400, 400, 10006, 400],
    ask: (who) => who.post('/api/auth/totp/recovery-codes', {}),
  },
  {
    endpoint: 'POST /api/auth/totp/confirm',
    codes: [401, 400, 400, 10006, 400],
    ask: (who) => who.post('/api/auth/totp/confirm', {}),
  },
  {
    endpoint: 'DELETE /api/auth/totp',
    codes: [401, 10005, 10005, 10006, 10005],
    ask: (who) => off(who, 'wrong'),
  },
]);

describe('the second factor', () => {
  let gallery: Gallery;
  let root: Person;
  let number = 0;

  before(async () => {
    gallery = await startGallery({ siteName: 'The Smiths', tokenTtl: 9_000_000 });
    root = await registerAdmin(gallery, 'root');
  });
  after(() => gallery.close());

  /** Moves the clock by a minute, and returns the authenticator app's next code. */
  function createCode(secret: string): string {
    gallery.travel(60);
    return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: gallery.deps.clock() * 1000 });
  }

  async function withFactor() {
    const who = await register(gallery, `factor${++number}`);
    const { secret, url, qr_code } = assertWritten(await who.post('/api/auth/totp', { password }));
    const { recovery_codes } = assertWritten(
      await who.post('/api/auth/totp/confirm', { code: createCode(secret) }),
    );
    return { who, secret: secret as string, url, qr_code, codes: recovery_codes as string[] };
  }

  const firstStep = (who: Person) =>
    asVisitor(gallery).post('/api/auth/login', { username: who.name, password });
  const secondStep = (challenge: string, code: string, more: object = {}) =>
    asVisitor(gallery).post('/api/auth/login/second', { challenge, code, ...more });

  async function challengeFor(who: Person): Promise<string> {
    const answer = await firstStep(who);
    assert.deepEqual([answer.status, answer.body.code], [401, 10008]);
    assert.deepEqual(Object.keys(answer.body.data).sort(), ['challenge', 'expires_in']);
    assert.equal(answer.headers.get('set-cookie'), null);
    return answer.body.data.challenge;
  }

  test('is set up by a QR code, active once a code was confirmed, and requested after the password', async () => {
    const who = await register(gallery, 'ansel');
    const { secret, url, qr_code } = assertWritten(await who.post('/api/auth/totp', { password }));
    assert.match(url, /^otpauth:\/\/totp\/The%20Smiths:ansel\?/);
    assert.ok(url.includes(`secret=${secret}`));
    assert.match(qr_code, /^data:image\/png;base64,/);
    assertWritten(await firstStep(who));
    assertRefused(await who.post('/api/auth/totp/confirm', { code: '12345' }), 400, 10009);
    assert.deepEqual(assertRead(await who.get('/api/auth/totp')), { is_on: false, recovery_codes: 0 });

    const { recovery_codes: codes } = assertWritten(
      await who.post('/api/auth/totp/confirm', { code: createCode(secret) }),
    );
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^[0-9a-f]{4}(-[0-9a-f]{4}){6}$/);
    assert.deepEqual(assertRead(await who.get('/api/auth/totp')), { is_on: true, recovery_codes: 10 });
    assertRefused(await who.post('/api/auth/totp', { password }), 403, 403);

    const challenge = await challengeFor(who);
    const { token, user } = assertWritten(await secondStep(challenge, createCode(secret)));
    assert.equal(user.username, 'ansel');
    assertRead(await createPerson(gallery, 'ansel', token, user.id).get('/api/auth/user'));
    const log = await root.get('/api/admin/logs?action=user.update');
    assert.ok(assertRead(log).list.some(({ details }: { details: object }) => 'second_factor' in details));
    assert.ok(!log.bytes.includes(secret));
  });

  test('stores neither the secret nor the recovery codes in plain text', async () => {
    const { who, secret, codes } = await withFactor();
    const { kysely } = gallery.deps.db;
    const kept = JSON.stringify([
      await kysely.selectFrom('factors').selectAll().where('user_id', '=', who.id).execute(),
      await kysely.selectFrom('recovery_codes').selectAll().where('user_id', '=', who.id).execute(),
      await kysely.selectFrom('audit_log').selectAll().execute(),
    ]);
    for (const text of [secret, ...codes, codes[0]!.replaceAll('-', '')]) assert.ok(!kept.includes(text));
  });

  test('answers a wrong password as without a second factor, and accepts no challenge as a token', async () => {
    const { who } = await withFactor();
    const wrong = await asVisitor(gallery).post('/api/auth/login', { username: who.name, password: 'wrong' });
    assertRefused(wrong, 401, 10003);
    const challenge = await challengeFor(who);
    assertRefused(await createPerson(gallery, who.name, challenge, who.id).get('/api/auth/user'), 401, 10006);
  });

  test('accepts a code once, also of several at the same moment, and no older ones', async () => {
    const { who, secret } = await withFactor();
    const challenges = [await challengeFor(who), await challengeFor(who), await challengeFor(who)];
    const older = createCode(secret);
    const code = createCode(secret);
    const answers = await Promise.all(challenges.map((challenge) => secondStep(challenge, code)));
    assert.deepEqual(
      answers.map(({ body }) => body.code).sort((a, b) => a - b),
      [0, 10009, 10009],
    );
    const left = challenges.find((_, at) => answers[at]!.body.code !== 0)!;
    for (const again of [code, older]) assertRefused(await secondStep(left, again), 400, 10009);
    assertWritten(await secondStep(left, createCode(secret)));
  });

  test('accepts a challenge once, for five minutes, and not after the password changed', async () => {
    const { who, secret } = await withFactor();
    const used = await challengeFor(who);
    assertWritten(await secondStep(used, createCode(secret)));
    assertRefused(await secondStep(used, createCode(secret)), 401, 10003);
    const late = await challengeFor(who);
    gallery.travel(301);
    assertRefused(await secondStep(late, createCode(secret)), 401, 10003);
    const before = await challengeFor(who);
    const change = { old_password: password, new_password: 'another horse 8' };
    assertDone(await who.put('/api/auth/password', change));
    assertRefused(await secondStep(before, createCode(secret)), 401, 10003);
    assertRefused(await secondStep('guessed', '123456'), 401, 10003);
  });

  test('accepts a recovery code once, however it is typed; new ones replace the others', async () => {
    const { who, codes } = await withFactor();
    const typed = codes[0]!.toUpperCase().replaceAll('-', ' ');
    assertWritten(await secondStep(await challengeFor(who), typed));
    assertRefused(await secondStep(await challengeFor(who), codes[0]!), 400, 10009);
    assert.equal(assertRead(await who.get('/api/auth/totp')).recovery_codes, 9);
    const [entry] = assertRead(await root.get('/api/admin/logs?action=user.update')).list;
    assert.deepEqual([entry.actor.username, entry.details], [who.name, { recovery_codes_left: 9 }]);

    const { recovery_codes: fresh } = assertWritten(
      await who.post('/api/auth/totp/recovery-codes', { password }),
    );
    assert.equal(fresh.length, 10);
    assertRefused(await secondStep(await challengeFor(who), codes[1]!), 400, 10009);
    const race = [await challengeFor(who), await challengeFor(who)];
    const answers = await Promise.all(race.map((challenge) => secondStep(challenge, fresh[0])));
    assert.deepEqual(
      answers.map(({ body }) => body.code).sort((a, b) => a - b),
      [0, 10009],
    );
    const { who: other } = await withFactor();
    assertRefused(await secondStep(await challengeFor(other), fresh[1]), 400, 10009);
  });

  test('checks no code after ten wrong ones a minute of an account, with any challenge', async () => {
    const { who, codes } = await withFactor();
    for (let tries = 0; tries < 10; tries++) {
      assertRefused(await secondStep(await challengeFor(who), 'ffff-ffff-ffff-ffff-ffff'), 400, 10009);
    }
    const answer = await secondStep(await challengeFor(who), codes[0]!);
    assertRefused(answer, 429, 429);
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    const { who: other, codes: others } = await withFactor();
    assertWritten(await secondStep(await challengeFor(other), others[0]!));
  });

  test('gives a browser its cookie in the second step', async () => {
    const { who, secret } = await withFactor();
    const challenge = await challengeFor(who);
    const body = { challenge, code: createCode(secret), cookie: true };
    const theirs = { Origin: 'https://evil.example' };
    const visitor = asVisitor(gallery);
    assertRefused(await withBody(visitor, 'POST', '/api/auth/login/second', body, theirs), 403, 403);
    const answer = await withBody(visitor, 'POST', '/api/auth/login/second', body, { Origin: gallery.url });
    assert.equal(assertWritten(answer).token, undefined);
    const cookie = answer.headers.get('set-cookie')!;
    assert.match(cookie, /HttpOnly; SameSite=Lax/);
    assertRead(await visitor.get('/api/auth/user', { cookie: cookie.split(';')[0]! }));
  });

  test('is turned off with the password, by an admin and by the command line; never by an API key', async () => {
    const [one, two, three] = [await withFactor(), await withFactor(), await withFactor()];
    const key = { name: 'key', scopes: ['read', 'write'] };
    const { token } = assertWritten(await one.who.post('/api/auth/tokens', key));
    const robot = createPerson(gallery, 'robot', token, one.who.id);
    assertRefused(await off(robot), 403, 403);
    assertRefused(await robot.get('/api/auth/totp'), 403, 403);
    assertRefused(await off(one.who, 'wrong'), 400, 10005);
    await challengeFor(one.who);
    assertDone(await off(one.who));
    assertDone(await off(one.who));
    assertWritten(await firstStep(one.who));
    assertRefused(await one.who.post('/api/auth/totp/recovery-codes', { password }), 404, 404);

    assertWritten(await root.put(`/api/admin/users/${two.who.id}`, { end_factor: true }));
    assertWritten(await firstStep(two.who));
    const [entry] = assertRead(await root.get('/api/admin/logs?action=user.update')).list;
    assert.deepEqual([entry.target.name, entry.details], [two.who.name, { second_factor: false }]);

    const { code, error } = await runLightwell(gallery, ['user', 'end-factor', three.who.name]);
    assert.equal(code, 0, error);
    assertWritten(await firstStep(three.who));
    const { kysely } = gallery.deps.db;
    const ids = [one, two, three].map(({ who }) => who.id);
    for (const table of ['factors', 'recovery_codes'] as const) {
      assert.deepEqual(await kysely.selectFrom(table).selectAll().where('user_id', 'in', ids).execute(), []);
    }
  });

  test('refuses an account that is disabled between the steps', async () => {
    const { who, codes } = await withFactor();
    const challenge = await challengeFor(who);
    await disableAccount(gallery, who);
    assertRefused(await secondStep(challenge, codes[0]!), 403, 10004);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});

test('accepts recovery codes but no app codes after SECRET has changed', async (context) => {
  const gallery = await startGallery();
  context.after(() => gallery.close());
  const who = await register(gallery, 'ansel');
  const { secret } = assertWritten(await who.post('/api/auth/totp', { password }));
  const code = () =>
    TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: gallery.deps.clock() * 1000 });
  const { recovery_codes: codes } = assertWritten(await who.post('/api/auth/totp/confirm', { code: code() }));
  gallery.deps.secret.unseal = createGallerySecret('quite another secret').unseal;
  gallery.travel(60);
  const login = await asVisitor(gallery).post('/api/auth/login', { username: 'ansel', password });
  const { challenge } = login.body.data;
  const second = (given: string) =>
    asVisitor(gallery).post('/api/auth/login/second', { challenge, code: given });
  assertRefused(await second(code()), 400, 10009);
  assert.ok(gallery.complaints().some((line) => line.includes('was SECRET changed?')));
  assertWritten(await second(codes[0]));
});

test('opens sealed data with the same secret, for the same purpose, and unchanged only', () => {
  const { seal, unseal } = createGallerySecret('a secret of some length');
  const sealed = seal('JBSWY3DP ★', 'factor of 7');
  assert.equal(unseal(sealed, 'factor of 7'), 'JBSWY3DP ★');
  assert.notEqual(seal('JBSWY3DP ★', 'factor of 7'), sealed);
  assert.equal(unseal(sealed, 'factor of 8'), undefined);
  assert.equal(createGallerySecret('another secret of it').unseal(sealed, 'factor of 7'), undefined);
  const broken = Buffer.from(sealed, 'base64url');
  broken[broken.length - 1]! ^= 1;
  for (const wrong of [broken.toString('base64url'), '', 'x', sealed.slice(0, 20)]) {
    assert.equal(unseal(wrong, 'factor of 7'), undefined);
  }
});
