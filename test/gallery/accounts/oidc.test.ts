import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createCookieBrowser, oidcClient, startProvider } from '../../support/oidc.ts';
import {
  asVisitor,
  createPerson,
  logIn,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';

const begin = '/api/auth/oidc';
const callback = `${begin}/callback`;
const settings = { ...oidcClient, name: 'Example Club', adminClaim: { name: 'groups', value: 'keepers' } };

type Traveller = ReturnType<typeof createCookieBrowser>;

describe('signing in by an OpenID provider', () => {
  let gallery: Gallery;
  let root: Person;
  let provider: Awaited<ReturnType<typeof startProvider>>;

  before(async () => {
    provider = await startProvider();
    gallery = await startGallery({ oidc: { ...settings, issuer: provider.issuer } });
    provider.know(gallery.url + callback);
    root = await registerAdmin(gallery, 'root');
  });
  after(async () => {
    await gallery.close();
    await provider.close();
  });

  const getSessionCookie = (traveller: Traveller) =>
    traveller.jars.get(gallery.url)?.get('lightwell_session');

  /** Returns the user of the browser's session, or undefined without a session. */
  async function readUser(traveller: Traveller) {
    const token = getSessionCookie(traveller);
    if (token === undefined) return undefined;
    return assertRead(await createPerson(gallery, 'traveller', token, 0).get('/api/auth/user'));
  }

  const signIn = (traveller: Traveller, to = '') => traveller.travel(gallery.url + begin + to, gallery.url);

  const confirm = (id: number) =>
    gallery.deps.db.kysely.updateTable('users').set({ email_confirmed: 1 }).where('id', '=', id).execute();

  test('creates an account at the first time, and signs in to it later, also with another email', async () => {
    provider.signIn('s-1', { email: 'Dora@example.org', name: 'Dora M.', preferred_username: 'dora' });
    const traveller = createCookieBrowser();
    assert.equal(await signIn(traveller, '?to=%2Falbums%3Fpage%3D2'), '/albums?page=2');
    const made = await readUser(traveller);
    assert.deepEqual([made.username, made.email, made.nickname], ['dora', 'Dora@example.org', 'Dora M.']);
    provider.signIn('s-1', { email: 'elsewhere@example.org', preferred_username: 'eve' });
    const later = createCookieBrowser();
    assert.equal(await signIn(later), '/');
    const same = await readUser(later);
    assert.deepEqual([same.id, same.email], [made.id, 'Dora@example.org']);
    assert.equal(
      later.jars.get(gallery.url)!.has('lightwell_oidc'),
      false,
      'what was kept on the way is gone',
    );
    // The account has no password, so every password is wrong.
    const wrong = await asVisitor(gallery).post('/api/auth/login', { username: 'dora', password: 'x' });
    assertRefused(wrong, 401, 10003);
  });

  test('has no password until one is chosen by a link, and its owner is told so', async () => {
    provider.signIn('p-1', { email: 'pat@example.org', preferred_username: 'pat' });
    const traveller = createCookieBrowser();
    await signIn(traveller);
    const { id, has_password } = await readUser(traveller);
    assert.equal(has_password, false);
    const { url } = assertWritten(await root.post(`/api/admin/users/${id}/reset-link`));
    assertDone(await asVisitor(gallery).post('/api/auth/reset', { token: url.split('#')[1], password }));
    const pat = await logIn(gallery, createPerson(gallery, 'pat', undefined, id));
    assert.equal(assertRead(await pat.get('/api/auth/user')).has_password, true);
    assert.ok(!('has_password' in assertRead(await root.get(`/api/users/${id}`))));
  });

  test('chooses another name where the name is taken', async () => {
    const names: string[] = [];
    for (const [sub, preferred_username] of [
      ['n-1', 'sam'],
      ['n-2', 'Sam'],
      ['n-3', '12345'],
      ['n-4', '山田'],
      ['n-5', { first: 'Sam' }],
      ['x', ''],
    ] as const) {
      provider.signIn(sub, { email: `${sub}@example.org`, preferred_username });
      const traveller = createCookieBrowser();
      assert.equal(await signIn(traveller), '/');
      names.push((await readUser(traveller)).username);
    }
    assert.deepEqual(names, ['sam', 'Sam-2', 'user-12345', 'n-4', 'n-5', 'user-x']);
  });

  test('links an account by email only where both sides have confirmed it', async () => {
    const ann = await register(gallery, 'ann');
    const email = 'ann@example.org';
    const cases = [
      { sub: 'a-1', verified: true, confirmed: false },
      { sub: 'a-2', verified: false, confirmed: true },
      { sub: 'a-3', verified: undefined, confirmed: true },
    ];
    for (const { sub, verified, confirmed } of cases) {
      await gallery.deps.db.kysely
        .updateTable('users')
        .set({ email_confirmed: Number(confirmed) })
        .where('id', '=', ann.id)
        .execute();
      provider.signIn(sub, { email, ...(verified !== undefined && { email_verified: verified }) });
      const traveller = createCookieBrowser();
      assert.equal(await signIn(traveller), '/sign-in?problem=email');
      assert.equal(getSessionCookie(traveller), undefined);
    }
    await confirm(ann.id);
    provider.signIn('a-4', { email: 'ANN@example.org', email_verified: true });
    const traveller = createCookieBrowser();
    assert.equal(await signIn(traveller), '/');
    assert.equal((await readUser(traveller)).id, ann.id);
  });

  test('links the account of a session, with its password, and unlinks it', async () => {
    const bob = await register(gallery, 'bob');
    const traveller = createCookieBrowser();
    const cookies = new Map([['lightwell_session', bob.token!]]);
    traveller.jars.set(gallery.url, cookies);
    const ask = async (secret: string) => {
      const response = await fetch(`${gallery.url}${begin}/link`, {
        method: 'POST',
        headers: {
          cookie: `lightwell_session=${bob.token}`,
          origin: gallery.url,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ password: secret }),
      });
      const kept = /lightwell_oidc=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1];
      if (kept) cookies.set('lightwell_oidc', kept);
      return { status: response.status, body: (await response.json()) as { data: { url: string } } };
    };
    assert.equal((await ask('wrong')).status, 400);
    provider.signIn('b-1', { email: 'bob@elsewhere.example' });
    const { url } = (await ask(password)).body.data;
    assert.equal(await traveller.travel(url, gallery.url), '/settings/security');
    assert.deepEqual(assertRead(await bob.get(`${begin}/link`)), { is_linked: true });
    const there = createCookieBrowser();
    assert.equal(await signIn(there), '/');
    assert.equal((await readUser(there)).id, bob.id);
    // A browser of another user that opens the provider's redirect does not get linked.
    provider.signIn('b-2', { email: 'eve@elsewhere.example' });
    const second = (await ask(password)).body.data.url;
    cookies.set('lightwell_session', (await register(gallery, 'eve')).token!);
    assert.equal(await traveller.travel(second, gallery.url), '/settings/security?problem=expired');
    const unlink = { body: JSON.stringify({ password }), headers: { 'content-type': 'application/json' } };
    assert.equal((await bob.send('DELETE', `${begin}/link`, unlink)).status, 200);
    assertRefused(await bob.send('DELETE', `${begin}/link`, unlink), 404, 404);
    assert.deepEqual(assertRead(await bob.get(`${begin}/link`)), { is_linked: false });
    const rows = await gallery.deps.db.kysely
      .selectFrom('audit_log')
      .select('details')
      .where('target', '=', 'bob')
      .where('action', '=', 'user.update')
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows.map(({ details }) => JSON.parse(details)),
      [{ oidc: true }, { oidc: false }],
    );
  });

  test('makes admins of people that the claim names, and revokes the role, but not from the last admin', async () => {
    const say = (groups: unknown) =>
      provider.signIn('k-1', { email: 'kim@example.org', preferred_username: 'kim', groups });
    const isAdmin = async () => {
      const traveller = createCookieBrowser();
      assert.equal(await signIn(traveller), '/');
      return (await readUser(traveller)).is_admin;
    };
    say(['readers']);
    assert.equal(await isAdmin(), false);
    say(['readers', 'keepers']);
    assert.equal(await isAdmin(), true);
    say('keepers');
    assert.equal(await isAdmin(), true);
    say(['not keepers']);
    assert.equal(await isAdmin(), false);
    say(['keepers']);
    assert.equal(await isAdmin(), true);
    await gallery.deps.db.kysely
      .updateTable('users')
      .set({ is_admin: 0 })
      .where('username', '=', 'root')
      .execute();
    say([]);
    assert.equal(await isAdmin(), true, 'the last one stays');
    await gallery.deps.db.kysely
      .updateTable('users')
      .set({ is_admin: 1 })
      .where('username', '=', 'root')
      .execute();
  });

  test('makes no account where registration is not open', async () => {
    gallery.deps.config.registration = 'invite';
    provider.signIn('x-1', { email: 'x@example.org' });
    assert.equal(await signIn(createCookieBrowser()), '/sign-in?problem=closed');
    gallery.deps.config.registration = 'open';
    assertRefused(await root.get('/api/users/x'), 404, 50001);
  });

  test('leads to this gallery alone', async () => {
    provider.signIn('s-1', { email: 'dora@example.org' });
    for (const to of [
      'https://example.com/',
      '/.//example.com',
      '//example.com',
      '/\\example.com',
      '/\t/example.com',
      'javascript:1',
    ]) {
      assert.equal(await signIn(createCookieBrowser(), `?to=${encodeURIComponent(to)}`), '/');
    }
  });

  test('accepts a response once, in the browser that started, within ten minutes', async () => {
    provider.signIn('s-1', { email: 'dora@example.org' });
    const traveller = createCookieBrowser();
    // Follows the redirects until the provider sends the browser back to the gallery.
    let url = gallery.url + begin;
    while (!url.startsWith(gallery.url + callback)) {
      url = new URL((await traveller.visitUrl(url)).headers.get('location')!, url).href;
    }
    const elsewhere = createCookieBrowser();
    assert.equal(await elsewhere.travel(url, gallery.url), '/sign-in?problem=expired');
    const wrongState = url.replace(/state=[^&]+/, 'state=another');
    const copied = createCookieBrowser();
    copied.jars.set(gallery.url, new Map(traveller.jars.get(gallery.url)!));
    assert.equal(await copied.travel(wrongState, gallery.url), '/sign-in?problem=expired');
    const forged = createCookieBrowser();
    const kept = traveller.jars.get(gallery.url)!.get('lightwell_oidc')!;
    forged.jars.set(gallery.url, new Map([['lightwell_oidc', `x${kept}`]]));
    assert.equal(await forged.travel(url, gallery.url), '/sign-in?problem=expired');
    assert.equal(await traveller.travel(url, gallery.url), '/');
    assert.equal(await traveller.travel(url, gallery.url), '/sign-in?problem=expired');
    // Even with the earlier cookie, the provider does not accept the same code a second time.
    traveller.jars.get(gallery.url)!.set('lightwell_oidc', kept);
    assert.equal(await traveller.travel(url, gallery.url), '/sign-in?problem=refused');
    const late = createCookieBrowser();
    await late.visitUrl(gallery.url + begin);
    gallery.travel(600);
    assert.equal(
      await late.travel(`${gallery.url}${callback}?code=x&state=y`, gallery.url),
      '/sign-in?problem=expired',
    );
  });

  test('leads a person who refuses at the provider back, and logs nothing', async () => {
    const traveller = createCookieBrowser();
    const way = await traveller.visitUrl(gallery.url + begin);
    const { searchParams } = new URL(way.headers.get('location')!);
    const back = `${gallery.url}${callback}?error=access_denied&state=${searchParams.get('state')}`;
    assert.equal(await traveller.travel(back, gallery.url), '/sign-in?problem=refused');
    const log = gallery.complaints().join('\n');
    assert.ok(!log.includes(oidcClient.clientSecret));
    assert.doesNotMatch(log, /id_token|access_token|eyJ/);
  });
});
