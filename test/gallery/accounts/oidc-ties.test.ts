/** What ties an account to a person at the OpenID provider, and what ends that. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/answers.ts';
import { readLog } from '../../support/attempts.ts';
import { lightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { client, createTraveller, startProvider } from '../../support/oidc.ts';
import {
  anonymous,
  disable,
  type Person,
  password,
  person,
  register,
  registerAdmin,
} from '../../support/people.ts';

const begin = '/api/auth/oidc';
const settings = { ...client, name: 'Example Club', adminClaim: { name: 'groups', value: 'keepers' } };

describe('the tie of an account to the OpenID provider', () => {
  let gallery: Gallery;
  let root: Person;
  let provider: Awaited<ReturnType<typeof startProvider>>;

  before(async () => {
    provider = await startProvider();
    gallery = await startGallery({ oidc: { ...settings, issuer: provider.issuer } });
    provider.know(`${gallery.url}${begin}/callback`);
    root = await registerAdmin(gallery, 'root');
  });
  after(async () => {
    await gallery.close();
    await provider.close();
  });

  const confirmed = async (name: string): Promise<Person> => {
    const who = await register(gallery, name);
    await gallery.deps.db.kysely
      .updateTable('users')
      .set({ email_confirmed: 1 })
      .where('id', '=', who.id)
      .execute();
    return who;
  };

  /** Where one is led who signs in there, and as whom. */
  async function signIn(
    sub: string,
    said: Record<string, unknown>,
  ): Promise<{ led: string; user?: { id: number } }> {
    provider.signIn(sub, { email_verified: true, ...said });
    const traveller = createTraveller();
    const led = await traveller.travel(gallery.url + begin, gallery.url);
    const token = traveller.jars.get(gallery.url)?.get('lightwell_session');
    if (token === undefined) return { led };
    return { led, user: assertRead(await person(gallery, sub, token, 0).get('/api/auth/user')) };
  }

  const isTied = async (who: Person) => assertRead(await who.get(`${begin}/link`)).is_linked;

  test('an account with a second factor is not entered by its email at the provider', async () => {
    const who = await confirmed('careful');
    await withFactor(who);
    const thief = await signIn('t-1', { email: 'careful@example.org' });
    assert.deepEqual(thief, { led: '/sign-in?problem=email' });
    assert.equal(await isTied(who), false);
    // Nor where nobody registers.
    gallery.deps.config.registration = 'closed';
    assert.deepEqual(await signIn('t-1', { email: 'careful@example.org' }), thief);
    gallery.deps.config.registration = 'open';
    assertWritten(await root.put(`/api/admin/users/${who.id}`, { end_factor: true }));
    assert.equal((await signIn('t-1', { email: 'careful@example.org' })).user?.id, who.id);
  });

  /** Comes back from the provider to the second step: what that needs. */
  async function comeBackAsked(sub: string, said: Record<string, unknown>) {
    provider.signIn(sub, { email_verified: true, ...said });
    const traveller = createTraveller();
    let url = gallery.url + begin;
    while (!url.startsWith(`${gallery.url}/sign-in`)) {
      const response = await traveller.visit(url);
      url = new URL(response.headers.get('location')!, url).href;
    }
    assert.equal(traveller.jars.get(gallery.url)?.has('lightwell_session') ?? false, false);
    const { pathname, search, hash } = new URL(url);
    assert.equal(pathname + search, '/sign-in?problem=second');
    const cookie = [...traveller.jars.get(gallery.url)!].map((pair) => pair.join('=')).join('; ');
    return { challenge: hash.slice(1), cookie };
  }
  const step = ({ challenge, cookie }: { challenge: string; cookie: string }, code: string) =>
    anonymous(gallery).send('POST', '/api/auth/login/second', {
      body: JSON.stringify({ challenge, code }),
      headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    });
  /** Switches a second factor on; what it makes is the code of the next minute. */
  async function withFactor(who: Person): Promise<() => string> {
    const { secret } = assertWritten(await who.post('/api/auth/totp', { password }));
    const codeNow = () => {
      gallery.travel(60);
      const timestamp = gallery.deps.clock() * 1000;
      return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });
    };
    assertWritten(await who.post('/api/auth/totp/confirm', { code: codeNow() }));
    return codeNow;
  }

  test('without passwords, where nobody connects by hand, its second factor is asked for, and ties it', async (context) => {
    const who = await confirmed('wary');
    const other = await confirmed('other');
    const codeNow = await withFactor(who);
    gallery.deps.config.passwordLogin = false;
    context.after(() => {
      gallery.deps.config.passwordLogin = true;
    });
    const said = { email: 'wary@example.org' };
    const comeBack = (sub: string) => comeBackAsked(sub, said);

    // A thief who has the address confirmed there sends its owner the link: their code must not tie the thief.
    const stolen = await comeBack('thief');
    const another = await comeBack('thief');
    for (const cookie of ['', another.cookie, `${another.cookie.slice(0, -4)}AAAA`])
      assertRefused(await step({ challenge: stolen.challenge, cookie }, codeNow()), 401, 10003);
    assert.equal(await isTied(who), false);

    const challenge = await comeBack('w-1');
    assertRefused(await step(challenge, '000000'), 400, 10009);
    assert.equal(await isTied(who), false);
    const { token } = assertWritten(await step(challenge, codeNow()));
    assert.equal(assertRead(await person(gallery, 'wary', token, who.id).get('/api/auth/user')).id, who.id);
    assert.equal(await isTied(who), true);
    assertRefused(await step(challenge, codeNow()), 401, 10003);
    assert.equal((await signIn('w-1', said)).user?.id, who.id, 'from now on the provider alone');

    // Of two people there who were asked, the second ties nobody whom another account has by then.
    const stale = await comeBack('w-2');
    assert.equal((await signIn('w-2', { email: 'other@example.org' })).user?.id, other.id);
    assertRefused(await step(stale, codeNow()), 401, 10003);
    const acts = await readLog(root, 'actor=wary&action=user.update');
    assert.equal(acts.filter(({ details }) => details.oidc === true).length, 1);
  });

  test('whether it is an admin, the provider says with the second step: no sooner, and no later', async (context) => {
    const who = await confirmed('keeper');
    const codeNow = await withFactor(who);
    gallery.deps.config.passwordLogin = false;
    context.after(() => {
      gallery.deps.config.passwordLogin = true;
    });
    const isAdmin = async () => assertRead(await who.get('/api/auth/user')).is_admin;
    const setAdmin = (is_admin: boolean) => root.put(`/api/admin/users/${who.id}`, { is_admin });
    const email = 'keeper@example.org';
    const untie = () => lightwell(gallery, ['user', 'end-keys', who.name]);

    const gained = await comeBackAsked('k-9', { email, groups: ['keepers'] });
    assertRefused(await step(gained, '000000'), 400, 10009);
    assert.equal(await isAdmin(), false);
    assertWritten(await step(gained, codeNow()));
    assert.equal(await isAdmin(), true);

    await untie();
    const lost = await comeBackAsked('k-9', { email, groups: ['others'] });
    assert.equal(await isAdmin(), true, 'who has only the email there takes nothing from it');
    assertWritten(await step(lost, codeNow()));
    assert.equal(await isAdmin(), false);
    const acts = await readLog(root, 'actor=keeper&action=user.update');
    const told = acts.map(({ details }) => details).filter((details) => 'is_admin' in details);
    assert.deepEqual(
      told.map(({ is_admin, oidc }) => [is_admin, oidc]).sort(),
      [false, true].map((is_admin) => [is_admin, true]),
    );

    // Without the setting it is not asked.
    const { oidc } = gallery.deps.config;
    gallery.deps.config.oidc = { ...oidc!, adminClaim: undefined };
    await untie();
    assertWritten(await setAdmin(true));
    assertWritten(await step(await comeBackAsked('k-9', { email }), codeNow()));
    gallery.deps.config.oidc = oidc;
    assert.equal(await isAdmin(), true);
    assertWritten(await setAdmin(false));
  });

  test('an address is another one where a letter is, however alike they look', async () => {
    const who = await register(gallery, 'kira');
    const email = 'kira@strasse.example';
    await gallery.deps.db.kysely
      .updateTable('users')
      .set({ email, email_key: email, email_confirmed: 1 })
      .where('id', '=', who.id)
      .execute();
    assert.deepEqual(await signIn('k-1', { email: 'kira@straße.example' }), toSettings);
    assert.equal(await isTied(who), false);
    assert.equal((await signIn('k-2', { email: 'Kira@Strasse.example' })).user?.id, who.id);
  });

  test('an address with what no address has is as if it were not told', async () => {
    for (const email of ['a\0b@example.org', 'a\u{D800}b@example.org', 'a\u202Eb@example.org'])
      assert.deepEqual(await signIn('odd', { email }), { led: '/sign-in?problem=refused' });
  });

  test('a disabled account is refused as it is: neither made an admin nor tied', async () => {
    const tied = await confirmed('tied');
    const said = { email: 'tied@example.org' };
    assert.equal((await signIn('d-1', said)).user?.id, tied.id);
    await disable(gallery, tied);
    assert.deepEqual(await signIn('d-1', { ...said, groups: ['keepers'] }), {
      led: '/sign-in?problem=disabled',
    });
    const free = await confirmed('free');
    await disable(gallery, free);
    assert.deepEqual(await signIn('d-2', { email: 'free@example.org' }), {
      led: '/sign-in?problem=disabled',
    });
    const { kysely } = gallery.deps.db;
    const { is_admin } = await kysely
      .selectFrom('users')
      .select('is_admin')
      .where('id', '=', tied.id)
      .executeTakeFirstOrThrow();
    assert.equal(is_admin, 0);
    assert.deepEqual(
      await kysely.selectFrom('identities').select('id').where('user_id', '=', free.id).execute(),
      [],
    );
    assert.deepEqual(await readLog(root, 'actor=free&action=user.update'), []);
  });

  const toSettings = { led: '/sign-in?problem=email' };

  test('where nobody registers, who has an account with an unconfirmed email is told to connect it, and nobody else', async (context) => {
    await register(gallery, 'unconfirmed');
    gallery.deps.config.registration = 'invite';
    context.after(() => {
      gallery.deps.config.registration = 'open';
    });
    const email = 'unconfirmed@example.org';
    assert.deepEqual(await signIn('u-1', { email }), toSettings);
    assert.deepEqual(await signIn('u-1', { email, email_verified: false }), {
      led: '/sign-in?problem=closed',
    });
  });

  test('once it was ended by its owner, no email makes another one', async () => {
    const who = await confirmed('leaver');
    const said = { email: 'leaver@example.org' };
    assert.equal((await signIn('l-1', said)).user?.id, who.id);
    const unlink = { body: JSON.stringify({ password }), headers: { 'content-type': 'application/json' } };
    assertDone(await who.send('DELETE', `${begin}/link`, unlink));
    assert.deepEqual(await signIn('l-1', said), toSettings);
    assert.deepEqual(await signIn('l-2', said), toSettings);
    assert.equal(await isTied(who), false);
    // Where nobody can connect by hand there would be no way back.
    gallery.deps.config.passwordLogin = false;
    assert.equal((await signIn('l-1', said)).user?.id, who.id);
    gallery.deps.config.passwordLogin = true;
  });

  test('ends with the API keys: by a link, by the owner, by an admin and on the command line; it stands in the log', async () => {
    const [words, done] = [
      'Password changed',
      'Ended: API keys 1, passkeys 0, ties to the sign-in provider 1',
    ];
    const ends: Record<string, (who: Person) => Promise<string>> = {
      async link(who) {
        const { url } = assertWritten(await root.post(`/api/admin/users/${who.id}/reset-link`));
        const reset = { token: url.split('#')[1], password, end_keys: true };
        const { body } = await anonymous(gallery).post('/api/auth/reset', reset);
        return body.message.replace(words, '');
      },
      async owner(who) {
        const change = { old_password: password, new_password: password, end_keys: true };
        return (await who.put('/api/auth/password', change)).body.message.replace(words, '');
      },
      async admin(who) {
        const answer = await root.put(`/api/admin/users/${who.id}`, { end_keys: true });
        return answer.body.message.replace('User saved', '');
      },
      async command(who) {
        const { out } = await lightwell(gallery, ['user', 'end-keys', who.name]);
        assert.match(out, /command has no API keys, no passkeys and no tie/);
        return `. ${done}`;
      },
    };
    for (const [name, end] of Object.entries(ends)) {
      const who = await confirmed(name);
      const said = { email: `${name}@example.org` };
      assert.equal((await signIn(`e-${name}`, said)).user?.id, who.id);
      assertWritten(await who.post('/api/auth/tokens', { name: 'a program' }));
      assert.equal(await end(who), `. ${done}`, name);
      assert.deepEqual(await signIn(`e-${name}`, said), toSettings, name);
      const entries = await readLog(root, 'action=user.update');
      const { details } = entries.find(({ target, details }) => target.id === who.id && details.keys_ended)!;
      assert.deepEqual([details.keys_ended, details.oidc], [1, false], name);
    }
  });
});
