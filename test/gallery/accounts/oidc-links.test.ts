/** Tests registration with the OpenID provider, by an invite link or by the setup link of the first admin. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createSetupCode } from '../../../server/gallery/accounts/setup.ts';
import { testRights } from '../../contract/steps/rights-walk.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { readAuditLog } from '../../support/audit-log.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createCookieBrowser, oidcClient, startProvider } from '../../support/oidc.ts';
import { asVisitor, createPerson, type Person, registerAdmin } from '../../support/people.ts';

const begin = '/api/auth/oidc';
const settings = { ...oidcClient, name: 'Example Club', adminClaim: undefined };

// No OpenID provider is configured, so every role gets 404.
testRights([
  { endpoint: 'POST /api/auth/oidc', codes: [404, 404, 404, 404, 404], ask: (who) => who.post(begin, {}) },
]);

describe('a link to an account, where people sign in at the provider', () => {
  let gallery: Gallery;
  let root: Person;
  let provider: Awaited<ReturnType<typeof startProvider>>;

  before(async () => {
    provider = await startProvider();
    gallery = await startGallery({ oidc: { ...settings, issuer: provider.issuer } });
    provider.know(`${gallery.url}${begin}/callback`);
    root = await registerAdmin(gallery, 'root');
    gallery.deps.config.registration = 'invite';
    gallery.deps.config.passwordLogin = false;
  });
  after(async () => {
    await gallery.close();
    await provider.close();
  });

  const ask = (given: object, headers: Record<string, string> = {}, where = gallery) =>
    asVisitor(where).send('POST', begin, {
      body: JSON.stringify(given),
      headers: { 'content-type': 'application/json', ...headers },
    });

  /**
   * Registers like the page does: requests the provider's URL, then follows it. Returns the last page and the
   * user.
   */
  async function join(given: object, where = gallery) {
    const traveller = createCookieBrowser();
    const answer = await ask(given, {}, where);
    const { url } = assertWritten(answer);
    const [cookie] = answer.headers.getSetCookie();
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie!)!;
    traveller.jars.set(where.url, new Map([[name!, value!]]));
    const led = await traveller.travel(url, where.url);
    const token = traveller.jars.get(where.url)?.get('lightwell_session');
    if (token === undefined) return { led };
    return {
      led,
      user: assertRead(await createPerson(where, 'joined', token, 0).get('/api/auth/user')),
    };
  }

  const invite = async (wanted: object = {}) => assertWritten(await root.post('/api/admin/invites', wanted));
  const readUses = async (id: number) =>
    assertRead(await root.get('/api/admin/invites')).list.find((row: { id: number }) => row.id === id).used;

  test('an invite makes an account there, and counts one use with it', async () => {
    const { token, id } = await invite();
    provider.signIn('i-1', { email: 'dora@example.org', preferred_username: 'dora' });
    const { led, user } = await join({ invite: token, to: '/albums' });
    assert.equal(led, '/albums');
    assert.equal(user.username, 'dora');
    assert.equal(await readUses(id), 1);
    const [entry] = await readAuditLog(root, 'action=user.create&actor=dora');
    assert.deepEqual(entry!.details, { oidc: true, invite: id });
    assertRefused(await ask({ invite: token }), 403, 10007);
    assertRefused(await ask({ invite: 'made up' }), 403, 10007);
  });

  test('signs in a person who has an account already, and uses nothing', async () => {
    const { token, id } = await invite();
    provider.signIn('i-1', { email: 'dora@example.org' });
    assert.equal((await join({ invite: token })).user.username, 'dora');
    assert.equal(await readUses(id), 0);
  });

  test('creates no account when it is for another address or used, and its page says so', async () => {
    const named = await invite({ email: 'emil@example.org' });
    provider.signIn('i-2', { email: 'eve@example.org', preferred_username: 'eve' });
    assert.deepEqual(await join({ invite: named.token }), { led: `/join/${named.token}?problem=link` });
    assert.equal(await readUses(named.id), 0);
    provider.signIn('i-3', { email: 'Emil@example.org', preferred_username: 'emil' });
    assert.equal((await join({ invite: named.token })).user.username, 'emil');

    const { token, id } = await invite();
    const answer = await ask({ invite: token });
    await gallery.deps.db.kysely.updateTable('invites').set({ uses: 1 }).where('id', '=', id).execute();
    provider.signIn('i-2', { email: 'eve@example.org', preferred_username: 'eve' });
    const traveller = createCookieBrowser();
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(answer.headers.getSetCookie()[0]!)!;
    traveller.jars.set(gallery.url, new Map([[name!, value!]]));
    assert.equal(
      await traveller.travel(assertWritten(answer).url, gallery.url),
      `/join/${token}?problem=link`,
    );
    assertRefused(await asVisitor(gallery).get('/api/users/eve'), 404, 50001);
  });

  test('leads a person whom the provider refuses back to the invite, which stays valid', async () => {
    const { token, id } = await invite();
    provider.refuse();
    assert.deepEqual(await join({ invite: token }), { led: `/join/${token}?problem=refused` });
    provider.signIn('i-4', { email: 'fay@example.org', preferred_username: 'fay' });
    assert.equal((await join({ invite: token })).user.username, 'fay');
    assert.equal(await readUses(id), 1);
  });

  test('does not slow a person who starts with it often: a valid invite is no attempt', async () => {
    const { token, id } = await invite();
    for (let n = 0; n < 12; n++) assertWritten(await ask({ invite: token }));
    assert.equal(await readUses(id), 0);
  });

  test('counts no use for an account that is not created', async () => {
    const { token, id } = await invite();
    provider.signIn('i-5', { email: 'root@example.org', preferred_username: 'gil' });
    assert.deepEqual(await join({ invite: token }), { led: `/join/${token}?problem=email` });
    provider.signIn('i-5', { preferred_username: 'gil' });
    assert.deepEqual(await join({ invite: token }), { led: `/join/${token}?problem=refused` });
    assert.equal(await readUses(id), 0);
    provider.signIn('i-5', { email: 'gil@example.org', preferred_username: 'gil' });
    assert.equal((await join({ invite: token })).user.username, 'gil');
    assert.equal(await readUses(id), 1);
  });

  test('is invalid where registration is closed, and starts on no other page', async (context) => {
    const { token } = await invite();
    assertRefused(await ask({ invite: token }, { origin: 'https://elsewhere.example' }), 403, 403);
    gallery.deps.config.registration = 'closed';
    context.after(() => {
      gallery.deps.config.registration = 'invite';
    });
    assertRefused(await ask({ invite: token }), 403, 10007);
  });

  test('creates the first admin once, wherever accounts come from', async (context) => {
    const fresh = await startGallery({
      oidc: { ...settings, issuer: provider.issuer },
      registration: 'closed',
      passwordLogin: false,
    });
    context.after(async () => {
      provider.know(`${gallery.url}${begin}/callback`);
      await fresh.close();
    });
    provider.know(`${fresh.url}${begin}/callback`);
    const code = (await createSetupCode(fresh.deps))!;
    assertRefused(await ask({ setup: 'made up' }, {}, fresh), 403, 403);
    provider.signIn('s-1', { email: 'ansel@example.org', preferred_username: 'ansel' });
    const early = await ask({ setup: code }, {}, fresh);
    const { led, user } = await join({ setup: code }, fresh);
    assert.deepEqual([led, user.username, user.is_admin], ['/', 'ansel', true]);
    assertRefused(await ask({ setup: code }, {}, fresh), 403, 403);

    // A second browser that used the same setup link at the same time creates no account.
    provider.signIn('s-2', { email: 'bea@example.org', preferred_username: 'bea' });
    const traveller = createCookieBrowser();
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(early.headers.getSetCookie()[0]!)!;
    traveller.jars.set(fresh.url, new Map([[name!, value!]]));
    const end = await traveller.travel(assertWritten(early).url, fresh.url);
    assert.equal(end, '/first-run?problem=link');
    assertRefused(await asVisitor(fresh).get('/api/users/bea'), 404, 50001);
  });
});
