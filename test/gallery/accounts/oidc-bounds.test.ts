/**
 * Tests limits of OpenID sign-in: only users of the configured provider, fifty failures a minute, and the
 * rights of an ordinary session.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createApp } from '../../../server/app.ts';
import { assertDone, assertRead, assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createCookieBrowser, oidcClient, startProvider } from '../../support/oidc.ts';
import { createPerson, type Person, register, registerAdmin } from '../../support/people.ts';

const begin = '/api/auth/oidc';
const settings = { ...oidcClient, name: 'Example Club', adminClaim: undefined };

type Provider = Awaited<ReturnType<typeof startProvider>>;
type Traveller = ReturnType<typeof createCookieBrowser>;

describe('a sign-in by a provider', () => {
  let gallery: Gallery;
  let provider: Provider;

  before(async () => {
    provider = await startProvider();
    gallery = await startGallery({
      trustProxy: true,
      oidc: { ...settings, issuer: provider.issuer },
    });
    provider.know(`${gallery.url}${begin}/callback`);
  });
  after(async () => {
    await gallery.close();
    await provider.close();
  });

  async function signIn(url = gallery.url): Promise<Traveller> {
    const traveller = createCookieBrowser();
    assert.equal(await traveller.travel(url + begin, url), '/');
    return traveller;
  }

  const account = (traveller: Traveller, url = gallery.url) => {
    const token = traveller.jars.get(url)!.get('lightwell_session')!;
    return createPerson(gallery, 'traveller', token, 0).get('/api/auth/user');
  };

  test('treats the same id at another provider as somebody else', async (context) => {
    const other = await startProvider();
    context.after(() => other.close());
    // Starts the same gallery with another provider.
    const config = { ...gallery.deps.config, oidc: { ...settings, issuer: other.issuer } };
    const app = await createApp({ ...gallery.deps, config });
    context.after(() => app.close());
    const url = await app.listen({ port: 0, host: '127.0.0.1', listenTextResolver: () => '' });
    other.know(`${url}${begin}/callback`);
    provider.signIn('7', { email: 'dora@example.org', preferred_username: 'dora' });
    other.signIn('7', { email: 'eve@example.com', preferred_username: 'dora' });
    const here = assertRead(await account(await signIn()));
    const there = assertRead(await account(await signIn(url), url));
    assert.deepEqual([here.username, there.username], ['dora', 'dora-2']);
    assert.notEqual(there.id, here.id);
    for (const [at, { id }] of [[gallery.url, here] as const, [url, there] as const]) {
      assert.equal(assertRead(await account(await signIn(at), at)).id, id, 'the same one again');
    }
  });

  test('deletes an account without a password by its name, in a new session only', async () => {
    const leave = (who: Person, body: object) =>
      who.send('DELETE', '/api/auth/user', {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    provider.signIn('l-1', { email: 'lea@example.org', preferred_username: 'lea' });
    const root = await registerAdmin(gallery, 'root');
    const come = async () => {
      const token = (await signIn()).jars.get(gallery.url)!.get('lightwell_session');
      const { id } = assertRead(await createPerson(gallery, 'traveller', token, 0).get('/api/auth/user'));
      return createPerson(gallery, 'lea', token, id);
    };
    const lea = await come();
    assertRefused(await leave(lea, {}), 400, 400, ['password']);
    assertRefused(await leave(lea, { password: null, username: null }), 400, 400, ['password']);
    assertRefused(await leave(lea, { password: 'x' }), 400, 10005);
    assertRefused(await leave(lea, { username: 'root' }), 400, 400, ['username']);
    // An account with a password must enter the password, however recent its session is.
    assertRefused(await leave(root, { username: 'root' }), 400, 10005);
    // Using a session does not count as a recent sign-in.
    gallery.travel(601);
    assertRead(await lea.get('/api/auth/user'));
    assertRefused(await leave(lea, { username: 'lea' }), 403, 10010);
    const again = await come();
    assert.equal(again.id, lea.id);
    assertDone(await leave(again, { username: 'Lea' }));
    for (const who of [lea, again]) assertRefused(await who.get('/api/auth/user'), 401, 10006);
    // A gallery with password login turned off does not ask for old passwords.
    gallery.deps.config.passwordLogin = false;
    try {
      const max = await register(gallery, 'max').catch(() => undefined);
      assert.equal(max, undefined);
      provider.signIn('l-2', { email: 'lou@example.org', preferred_username: 'lou' });
      const lou = await come();
      await gallery.deps.db.kysely
        .updateTable('users')
        .set({ password_hash: 'some' })
        .where('id', '=', lou.id)
        .execute();
      assertDone(await leave(lou, { username: 'lou' }));
    } finally {
      gallery.deps.config.passwordLogin = true;
    }
  });

  test('lasts as long as TOKEN_TTL says, also after a sign-out at the provider', async () => {
    provider.signIn('8', { email: 'sam@example.org', preferred_username: 'sam' });
    const traveller = await signIn();
    await signOutThere(traveller);
    assertRead(await account(traveller));
    gallery.travel(gallery.deps.config.tokenTtl - 60);
    assertRead(await account(traveller));
    gallery.travel(60);
    assertRefused(await account(traveller), 401, 10006);
  });

  /** Signs out at the provider. The provider shows a confirmation page, because the request has no token. */
  async function signOutThere({ jars, visitUrl }: Traveller): Promise<void> {
    const end = `${provider.issuer}/session/end`;
    const asked = await (await visitUrl(end)).text();
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(asked)![1]!;
    const cookie = [...jars.get(provider.issuer)!].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = new URLSearchParams({ xsrf, logout: 'yes' });
    const answer = await fetch(`${end}/confirm`, {
      ...{ method: 'POST', redirect: 'manual', headers: { cookie }, body },
    });
    assert.match(answer.headers.get('location')!, /\/session\/end\/success$/);
    assert.ok(answer.headers.getSetCookie().some((text) => /^_session=;/.test(text)));
  }

  test('is refused unread after fifty failures a minute from one address', async () => {
    const fail = async (address: string): Promise<string> => {
      const headers = { 'x-forwarded-for': address };
      const way = await fetch(gallery.url + begin, { redirect: 'manual', headers });
      const [cookie] = way.headers.getSetCookie()[0]!.split(';');
      const state = new URL(way.headers.get('location')!).searchParams.get('state');
      const back = await fetch(`${gallery.url}${begin}/callback?code=guessed&state=${state}`, {
        ...{ redirect: 'manual', headers: { ...headers, cookie: cookie! } },
      });
      return back.headers.get('location')!;
    };
    for (let n = 0; n < 50; n++) assert.equal(await fail('192.0.2.1'), '/sign-in?problem=refused');
    assert.equal(await fail('192.0.2.1'), '/sign-in?problem=busy');
    assert.equal(await fail('192.0.2.2'), '/sign-in?problem=refused');
  });
});
