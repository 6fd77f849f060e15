/** Signing in again in a browser ends the browser's earlier session. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createCookieBrowser, oidcClient, startProvider } from '../../support/oidc.ts';
import {
  type Answer,
  asVisitor,
  createPerson,
  logIn,
  type Person,
  password,
  register,
} from '../../support/people.ts';

type Provider = Awaited<ReturnType<typeof startProvider>>;

describe('signing in anew', () => {
  let gallery: Gallery;
  let provider: Provider;
  let ann: Person;
  let bob: Person;

  before(async () => {
    provider = await startProvider();
    gallery = await startGallery({
      oidc: { ...oidcClient, name: 'Club', adminClaim: undefined, issuer: provider.issuer },
    });
    // Replaces the IP address by `localhost`, because browsers create no passkeys for an IP address.
    gallery.url = gallery.url.replace('127.0.0.1', 'localhost');
    provider.know(`${gallery.url}/api/auth/oidc/callback`);
    [ann, bob] = [await register(gallery, 'ann'), await register(gallery, 'bob')];
  });
  after(async () => {
    await gallery.close();
    await provider.close();
  });

  /** Returns the session token from the cookie of a response. */
  const storeToken = ({ headers }: Answer) =>
    /^lightwell_session=([\w-]{43});/.exec(headers.get('set-cookie')!)![1]!;

  const post = (path: string, body: object, token?: string) =>
    asVisitor(gallery).send('POST', path, {
      headers: {
        'content-type': 'application/json',
        origin: gallery.url,
        ...(token && { cookie: `lightwell_session=${token}` }),
      },
      body: JSON.stringify(body),
    });

  const login = (username: string, token?: string, others: object = { cookie: true }) =>
    post('/api/auth/login', { username, password, ...others }, token);

  const logInForToken = async (username: string) => storeToken(await login(username));

  const readStatus = async (token: string) =>
    (await createPerson(gallery, 'somebody', token, 0).get('/api/auth/user')).status;

  /**
   * Asserts that signing in from a browser of Bob ends the session there, and that another session of Bob
   * stays.
   */
  async function assertEnds(signIn: (token: string) => Promise<string>): Promise<void> {
    const [here, elsewhere] = [await logInForToken('bob'), await logInForToken('bob')];
    const token = await signIn(here);
    assert.deepEqual(
      [await readStatus(here), await readStatus(elsewhere), await readStatus(token)],
      [401, 200, 200],
    );
  }

  test('ends the previous session of the browser, whatever the method and account', async () => {
    await assertEnds(async (here) => storeToken(await login('bob', here)));
    await assertEnds(async (here) => storeToken(await login('ann', here)));
    await assertEnds(async (here) => {
      const account = { username: 'newcomer', email: 'newcomer@example.org', password, cookie: true };
      return storeToken(await post('/api/auth/register', account, here));
    });
    await assertEnds(signInByPasskey);
    await assertEnds(signInAtProvider);
    await assertEnds(signInByTwoSteps);
  });

  async function signInByPasskey(here: string): Promise<string> {
    const authenticator = createAuthenticator(gallery.url);
    const own = (path: string, body: object) => post(path, body, here);
    const options = assertWritten(await own('/api/auth/passkeys/options', { password }));
    assertWritten(
      await own('/api/auth/passkeys', { name: 'Phone', response: authenticator.create(options) }),
    );
    const asked = assertWritten(await own('/api/auth/login/passkey/options', {}));
    const response = authenticator.get(asked);
    return storeToken(await own('/api/auth/login/passkey', { response, cookie: true }));
  }

  async function signInAtProvider(here: string): Promise<string> {
    provider.signIn('c', { email: 'carol@example.org', preferred_username: 'carol' });
    const traveller = createCookieBrowser();
    traveller.jars.set(gallery.url, new Map([['lightwell_session', here]]));
    assert.equal(await traveller.travel(`${gallery.url}/api/auth/oidc`, gallery.url), '/');
    return traveller.jars.get(gallery.url)!.get('lightwell_session')!;
  }

  async function signInByTwoSteps(here: string): Promise<string> {
    const { secret } = assertWritten(await ann.post('/api/auth/totp', { password }));
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const code = totp.generate({ timestamp: gallery.deps.clock() * 1000 });
    const { recovery_codes } = assertWritten(await ann.post('/api/auth/totp/confirm', { code }));
    const first = await login('ann', here);
    assert.deepEqual([first.body.code, await readStatus(here)], [10008, 200], 'nobody is signed in yet');
    const { challenge } = first.body.data;
    const wrong = { challenge, code: 'badc-0de0', cookie: true };
    assertRefused(await post('/api/auth/login/second', wrong, here), 400, 10009);
    assert.equal(await readStatus(here), 200);
    return storeToken(await post('/api/auth/login/second', { ...wrong, code: recovery_codes[0] }, here));
  }

  test('leaves other sessions alone where it is refused, and where the answer is a token', async () => {
    const here = await logInForToken('bob');
    assertRefused(await login('bob', here, { password: 'wrong one', cookie: true }), 401, 10003);
    const { token } = assertWritten(await login('bob', here, {}));
    assert.deepEqual([await readStatus(here), await readStatus(token)], [200, 200]);
    // A login that sends a token in a header does not end the token's session, because a program may use the
    // token elsewhere.
    const program = await logIn(gallery, bob);
    assertWritten(await program.post('/api/auth/login', { username: 'bob', password }));
    assert.equal(assertRead(await program.get('/api/auth/user')).id, bob.id);
  });
});
