/**
 * Tests audit log entries of actions that attempts.test.ts does not cover: OpenID sign-in, the setup link,
 * and all rate limits.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createSetupCode } from '../../../server/gallery/accounts/setup.ts';
import { assertDone, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { assertAuditLog, type LoggedAttempt, readAuditLog, startNextHour } from '../../support/audit-log.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createCookieBrowser, oidcClient, startProvider } from '../../support/oidc.ts';
import {
  asVisitor,
  createPerson,
  disableAccount,
  type Person,
  password,
  postFrom,
  register,
  registerAdmin,
} from '../../support/people.ts';

const wrong = 'a wrong secret 5';
const begin = '/api/auth/oidc';

describe('attempts at a provider, in the audit log', () => {
  let gallery: Gallery;
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let root: Person;

  before(async () => {
    provider = await startProvider();
    const oidc = { ...oidcClient, name: 'Club', adminClaim: undefined, issuer: provider.issuer };
    gallery = await startGallery({ trustProxy: true, oidc });
    provider.know(`${gallery.url}${begin}/callback`);
    root = await registerAdmin(gallery, 'root');
    startNextHour(gallery);
  });
  after(async () => {
    await gallery.close();
    await provider.close();
  });

  const assertLog = (query: string, expected: LoggedAttempt[]) => assertAuditLog(root, query, expected);
  const signIn = (traveller = createCookieBrowser()) => traveller.travel(gallery.url + begin, gallery.url);

  test('log a sign-in with its outcome: success, disabled account, refusal or expiry', async () => {
    provider.signIn('d', { email: 'dora@example.org', preferred_username: 'dora' });
    const traveller = createCookieBrowser();
    assert.equal(await signIn(traveller), '/');
    const token = traveller.jars.get(gallery.url)!.get('lightwell_session')!;
    const { id } = (await createPerson(gallery, 'dora', token, 0).get('/api/auth/user')).body.data;
    await disableAccount(gallery, createPerson(gallery, 'dora', undefined, id));
    for (let n = 0; n < 2; n++) assert.equal(await signIn(), '/sign-in?problem=disabled');
    provider.refuse();
    assert.equal(await signIn(), '/sign-in?problem=refused');
    const late = `${gallery.url}${begin}/callback?code=x&state=y`;
    assert.equal(await createCookieBrowser().travel(late, gallery.url), '/sign-in?problem=expired');
    await assertLog('action=login.oidc', [
      ['login.oidc', 'succeeded', '', 1],
      ['login.oidc', 'refused', 'accountDisabled', 2],
      ['login.oidc', 'refused', 'forbidden', 1],
      ['login.oidc', 'refused', 'badToken', 1],
    ]);
    const known = (await readAuditLog(root, 'action=login.oidc&actor=dora')).map(({ outcome }) => outcome);
    assert.deepEqual(known.sort(), ['refused', 'succeeded']);
  });

  test('log a linking with a wrong password, too many of them, and somebody else’s identity', async () => {
    const ann = await register(gallery, 'ann');
    const ask = (given: string) =>
      fetch(`${gallery.url}${begin}/link`, {
        method: 'POST',
        headers: {
          cookie: `lightwell_session=${ann.token}`,
          origin: gallery.url,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ password: given }),
      });
    provider.signIn('d', { email: 'dora@example.org' });
    const begun = await ask(password);
    const { data } = (await begun.json()) as { data: { url: string } };
    const [name, value] = begun.headers.getSetCookie()[0]!.split(';')[0]!.split('=') as [string, string];
    const traveller = createCookieBrowser();
    traveller.jars.set(
      gallery.url,
      new Map([
        ['lightwell_session', ann.token!],
        [name, value],
      ]),
    );
    assert.equal(await traveller.travel(data.url, gallery.url), '/settings/security?problem=refused');
    for (let n = 0; n < 10; n++) assert.equal((await ask(wrong)).status, 400);
    for (let n = 0; n < 2; n++) assert.equal((await ask(wrong)).status, 429);
    await assertLog('action=oidc.link', [
      ['oidc.link', 'refused', 'forbidden', 1],
      ['oidc.link', 'refused', 'wrongOldPassword', 10],
      ['oidc.link', 'limited', 'tooManyRequests', 2],
    ]);
    assert.equal((await readAuditLog(root, 'action=oidc.link&actor=ann')).length, 3);
  });

  test('log refused admin calls of a signed-in user in one row an hour', async () => {
    const eve = await register(gallery, 'eve');
    const { token } = assertWritten(await root.post('/api/auth/tokens', { name: 'key', scopes: ['read'] }));
    for (let n = 0; n < 30; n++) {
      assertRefused(await eve.get(`/api/admin/${n % 2 ? 'logs' : 'users'}`), 403, 403);
    }
    assertRefused(await eve.delete('/api/admin/invites/1'), 403, 403);
    // An API key cannot use the admin API. The refusal of the admin's key is logged separately.
    assertRefused(await createPerson(gallery, 'robot', token, 0).get('/api/admin/users'), 403, 403);
    // Requests without a session, by an admin, or for missing routes create no entry for this action.
    assertRefused(await asVisitor(gallery).get('/api/admin/users'), 401, 401);
    assert.equal((await root.delete('/api/admin/invites/987654')).status, 404);
    assert.equal((await eve.get('/api/admin/nothing')).status, 404);
    await assertLog('action=admin.use', [
      ['admin.use', 'refused', 'forbidden', 31],
      ['admin.use', 'refused', 'forbidden', 1],
    ]);
    const [entry] = await readAuditLog(root, 'action=admin.use&actor=eve');
    assert.deepEqual([entry!.count, entry!.address], [31, '127.0.0.1']);
  });

  test('log too many failures of one address', async () => {
    startNextHour(gallery);
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    for (let n = 0; n < 52; n++) {
      const way = await fetch(gallery.url + begin, { redirect: 'manual', headers });
      const [cookie] = way.headers.getSetCookie()[0]!.split(';');
      const state = new URL(way.headers.get('location')!).searchParams.get('state');
      await fetch(`${gallery.url}${begin}/callback?code=guessed&state=${state}`, {
        ...{ redirect: 'manual', headers: { ...headers, cookie: cookie! } },
      });
    }
    await eventually(async () => {
      const rows = (await readAuditLog(root, 'action=login.oidc')).filter(
        ({ address }) => address === '192.0.2.1',
      );
      assert.deepEqual(rows.map(({ outcome, count }) => [outcome, count]).sort(), [
        ['limited', 2],
        ['refused', 50],
      ]);
    });
  });
});

describe('limits of other actions, in the audit log', () => {
  const origin = 'https://photos.example.org';
  let gallery: Gallery;
  let root: Person;

  before(async () => {
    gallery = await startGallery({ trustProxy: true, baseUrl: origin });
    startNextHour(gallery);
  });
  after(() => gallery.close());

  const times = async (n: number, attempt: () => Promise<unknown>) => {
    for (let done = 0; done < n; done++) await attempt();
  };

  /** Asserts the entries of one action and IP address, in any order. */
  const assertDoor = (action: string, address: string, expected: [string, string, number][]) =>
    eventually(async () => {
      const rows = (await readAuditLog(root, `action=${action}`)).filter((row) => row.address === address);
      assert.deepEqual(
        rows.map(({ outcome, details, count }) => [outcome, details.reason ?? '', count]).sort(),
        expected,
      );
    });

  test("log the first admin's link: wrong codes, too many of them, and its use", async () => {
    const first = await register(gallery, 'first');
    const use = (setup: string, address = '192.0.2.2') =>
      first.send('POST', '/api/auth/setup', {
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ setup }),
      });
    const code = (await createSetupCode(gallery.deps))!;
    await times(10, async () => assertRefused(await use('E'.repeat(43)), 403, 403));
    await times(2, async () => assertRefused(await use(code), 429, 429));
    assertDone(await use(code, '192.0.2.3'));
    root = first;
    await assertDoor('setup.use', '192.0.2.2', [
      ['limited', 'tooManyRequests', 2],
      ['refused', 'forbidden', 10],
    ]);
    const [act] = await readAuditLog(root, 'action=user.update&actor=first');
    assert.deepEqual(act!.details, { is_admin: true, setup: true });
    assert.ok(!JSON.stringify(await readAuditLog(root, '')).includes(code));
  });

  test('log too many passkeys of one address', async () => {
    const authenticator = createAuthenticator(origin);
    const post = (path: string, body: object) => postFrom(gallery, '192.0.2.4', path, body);
    const response = authenticator.get(assertWritten(await post('/api/auth/login/passkey/options', {})));
    await times(52, () => post('/api/auth/login/passkey', { response }));
    await assertDoor('login.passkey', '192.0.2.4', [
      ['limited', 'tooManyRequests', 2],
      ['refused', 'wrongLogin', 50],
    ]);
  });

  test('log too many codes of an account during setup', async () => {
    const who = await register(gallery, 'guesser');
    assertWritten(await who.post('/api/auth/totp', { password }));
    await times(12, () => who.post('/api/auth/totp/confirm', { code: '000000' }));
    await assertAuditLog(root, 'action=factor.confirm&actor=guesser', [
      ['factor.confirm', 'refused', 'wrongCode', 10],
      ['factor.confirm', 'limited', 'tooManyRequests', 2],
    ]);
  });

  test('log a changed address and the links that confirm one', async () => {
    const who = await register(gallery, 'mover');
    await times(12, () => who.put('/api/auth/email', { email: 'new@example.org', password: wrong }));
    await assertAuditLog(root, 'action=email.change&actor=mover', [
      ['email.change', 'refused', 'wrongOldPassword', 10],
      ['email.change', 'limited', 'tooManyRequests', 2],
    ]);
    const token = 'F'.repeat(43);
    await times(12, () => postFrom(gallery, '192.0.2.5', '/api/auth/email/confirm', { token }));
    await assertDoor('email.confirm', '192.0.2.5', [
      ['limited', 'tooManyRequests', 2],
      ['refused', 'forbidden', 10],
    ]);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
