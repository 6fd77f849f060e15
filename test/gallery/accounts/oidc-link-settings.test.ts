/** Tests how an account gets linked to a user of the OpenID provider, and what removes the link. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { linkAccountToProvider } from '../../../server/gallery/accounts/oidc/accounts.ts';
import { errors } from '../../../server/platform/errors/catalogue.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { readAuditLog } from '../../support/audit-log.ts';
import { runLightwell } from '../../support/command.ts';
import {
  asVisitor,
  createPerson,
  disableAccount,
  logIn,
  type Person,
  password,
  register,
} from '../../support/people.ts';
import { beginPath, type ClubGallery, startClub } from './oidc-gallery.ts';

const toSettings = { led: '/sign-in?problem=email' };

describe('the link of an account to the OpenID provider', () => {
  let club: ClubGallery;
  let gallery: ClubGallery['gallery'];
  let root: Person;

  before(async () => {
    club = await startClub();
    ({ gallery, root } = club);
  });
  after(() => club.close());

  test('does not let an email at the provider enter an account with a second factor', async () => {
    const who = await club.confirmed('careful');
    await club.withFactor(who);
    const thief = await club.signIn('t-1', { email: 'careful@example.org' });
    assert.deepEqual(thief, { led: '/sign-in?problem=email' });
    assert.equal(await club.isLinked(who), false);
    // With closed registration, the sign-in leads to the same error page.
    gallery.deps.config.registration = 'closed';
    assert.deepEqual(await club.signIn('t-1', { email: 'careful@example.org' }), thief);
    gallery.deps.config.registration = 'open';
    assertWritten(await root.put(`/api/admin/users/${who.id}`, { end_factor: true }));
    assert.equal((await club.signIn('t-1', { email: 'careful@example.org' })).user?.id, who.id);
  });

  test('refuses a person who got the address of somebody with a linked account', async () => {
    const who = await club.confirmed('anna');
    const said = { email: 'anna@example.org' };
    assert.equal((await club.signIn('anna-1', said)).user?.id, who.id);
    for (const passwordLogin of [true, false]) {
      gallery.deps.config.passwordLogin = passwordLogin;
      assert.deepEqual(await club.signIn('anna-successor', said), toSettings);
      assert.equal((await club.signIn('anna-1', said)).user?.id, who.id);
    }
    gallery.deps.config.passwordLogin = true;
    const ties = gallery.deps.db.kysely
      .selectFrom('identities')
      .select('subject')
      .where('user_id', '=', who.id);
    assert.deepEqual(await ties.execute(), [{ subject: 'anna-1' }]);
  });

  test('links nothing for a session that has ended meanwhile', async () => {
    const who = await club.confirmed('robbed');
    const { kysely } = gallery.deps.db;
    const { id: sessionId } = await kysely
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', who.id)
      .executeTakeFirstOrThrow();
    const thief = { iss: club.provider.issuer, sub: 'thief', language: 'en' } as const;
    assertDone(await who.put('/api/auth/password', { old_password: password, new_password: password }));
    await kysely.deleteFrom('sessions').where('id', '=', sessionId).execute();
    await assert.rejects(linkAccountToProvider(gallery.deps, { userId: who.id, sessionId }, thief), {
      code: errors.badToken().code,
    });
    assert.equal(await club.isLinked(await logIn(gallery, who)), false);
  });

  test('does not confirm the address of an invite by joining, though its link was sent there', async () => {
    const email = 'guest@example.org';
    const { token } = assertWritten(await root.post('/api/admin/invites', { email }));
    const given = { username: 'guest', email, password, invite: token };
    const joined = assertWritten(await asVisitor(gallery).post('/api/auth/register', given));
    const guest = createPerson(gallery, 'guest', joined.token, joined.user.id);
    assert.equal(assertRead(await guest.get('/api/auth/user')).email_confirmed, false);
    assert.deepEqual(await club.signIn('g-1', { email }), toSettings);
    assert.equal(await club.isLinked(guest), false);
  });

  test('compares addresses letter by letter, however alike they look', async () => {
    const who = await register(gallery, 'kira');
    const email = 'kira@strasse.example';
    await gallery.deps.db.kysely
      .updateTable('users')
      .set({ email, email_key: email, email_confirmed: 1 })
      .where('id', '=', who.id)
      .execute();
    for (const like of ['kira@straße.example', '\u212Aira@strasse.example'])
      assert.deepEqual(await club.signIn('k-1', { email: like }), { led: '/sign-in?problem=refused' });
    assert.equal(await club.isLinked(who), false);
    assert.equal((await club.signIn('k-2', { email: 'Kira@Strasse.example' })).user?.id, who.id);
  });

  test('creates no account without an address, or with an invalid one', async () => {
    const odd = [
      ...['no address', `${'a'.repeat(250)}@example.org`, 'a\0b@example.org', 'a\u{D800}b@example.org'],
      ...['a\u202Eb@example.org', 'a,b@example.org', 'a@[127.0.0.1]', undefined],
    ];
    for (const email of odd)
      assert.deepEqual(await club.signIn('odd', { ...(email !== undefined && { email }) }), {
        led: '/sign-in?problem=refused',
      });
    assertRefused(await root.get('/api/users/odd'), 404, 50001);
  });

  test('refuses a disabled account, which becomes neither an admin nor linked', async () => {
    const tied = await club.confirmed('tied');
    const said = { email: 'tied@example.org' };
    assert.equal((await club.signIn('d-1', said)).user?.id, tied.id);
    await disableAccount(gallery, tied);
    assert.deepEqual(await club.signIn('d-1', { ...said, groups: ['keepers'] }), {
      led: '/sign-in?problem=disabled',
    });
    const free = await club.confirmed('free');
    await disableAccount(gallery, free);
    assert.deepEqual(await club.signIn('d-2', { email: 'free@example.org' }), {
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
    assert.deepEqual(await readAuditLog(root, 'actor=free&action=user.update'), []);
  });

  test('tells only a person with an unconfirmed email to link the account where nobody registers', async (context) => {
    await register(gallery, 'unconfirmed');
    gallery.deps.config.registration = 'invite';
    context.after(() => {
      gallery.deps.config.registration = 'open';
    });
    const email = 'unconfirmed@example.org';
    assert.deepEqual(await club.signIn('u-1', { email }), toSettings);
    assert.deepEqual(await club.signIn('u-1', { email, email_verified: false }), {
      led: '/sign-in?problem=closed',
    });
  });

  test('is not created again by an email after its owner has removed it', async () => {
    const who = await club.confirmed('leaver');
    const said = { email: 'leaver@example.org' };
    assert.equal((await club.signIn('l-1', said)).user?.id, who.id);
    const unlink = { body: JSON.stringify({ password }), headers: { 'content-type': 'application/json' } };
    assertDone(await who.send('DELETE', `${beginPath}/link`, unlink));
    assert.deepEqual(await club.signIn('l-1', said), toSettings);
    assert.deepEqual(await club.signIn('l-2', said), toSettings);
    assert.equal(await club.isLinked(who), false);
    // With password login turned off, the user could not link the account by hand, so the sign-in links the
    // account.
    gallery.deps.config.passwordLogin = false;
    assert.equal((await club.signIn('l-1', said)).user?.id, who.id);
    gallery.deps.config.passwordLogin = true;
  });

  test('ends with the API keys by a link, the owner, an admin and the command line, and is logged', async () => {
    const [words, done] = [
      'Password changed',
      'Deleted: API keys 1, passkeys 0, connections to the sign-in provider 1',
    ];
    const ends: Record<string, (who: Person) => Promise<string>> = {
      async link(who) {
        const { url } = assertWritten(await root.post(`/api/admin/users/${who.id}/reset-link`));
        const reset = { token: url.split('#')[1], password, end_keys: true };
        const { body } = await asVisitor(gallery).post('/api/auth/reset', reset);
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
        const { out } = await runLightwell(gallery, ['user', 'end-keys', who.name]);
        assert.match(out, /command no longer has API keys, passkeys or a connection/);
        return `. ${done}`;
      },
    };
    for (const [name, end] of Object.entries(ends)) {
      const who = await club.confirmed(name);
      const said = { email: `${name}@example.org` };
      assert.equal((await club.signIn(`e-${name}`, said)).user?.id, who.id);
      assertWritten(await who.post('/api/auth/tokens', { name: 'a program' }));
      assert.equal(await end(who), `. ${done}`, name);
      assert.deepEqual(await club.signIn(`e-${name}`, said), toSettings, name);
      const entries = await readAuditLog(root, 'action=user.update');
      const { details } = entries.find(({ target, details }) => target.id === who.id && details.keys_ended)!;
      assert.deepEqual([details.keys_ended, details.oidc], [1, false], name);
    }
  });
});
