/**
 * Tests the second step after sign-in with the OpenID provider, with password login turned off. The step
 * links the account.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { readAuditLog } from '../../support/audit-log.ts';
import { runLightwell } from '../../support/command.ts';
import { createCookieBrowser } from '../../support/oidc.ts';
import { createPerson, type Person } from '../../support/people.ts';
import { type ClubGallery, startClub } from './oidc-gallery.ts';

describe('the second step after the OpenID provider', () => {
  let club: ClubGallery;
  let gallery: ClubGallery['gallery'];
  let root: Person;

  before(async () => {
    club = await startClub();
    ({ gallery, root } = club);
  });
  beforeEach(() => {
    gallery.deps.config.passwordLogin = true;
  });
  after(() => club.close());

  test('asks for the second factor and links the account where nobody signs in by password', async () => {
    const who = await club.confirmed('wary');
    const other = await club.confirmed('other');
    const codeNow = await club.withFactor(who);
    gallery.deps.config.passwordLogin = false;
    const said = { email: 'wary@example.org' };
    const comeBack = (sub: string) => club.returnFromProvider(sub, said);

    // A thief who confirmed the owner's email address at the provider sends the owner a link. The owner's
    // code must not link the account to the thief.
    const stolen = await comeBack('thief');
    const another = await comeBack('thief');
    for (const cookie of ['', another.cookie, `${another.cookie.slice(0, -4)}AAAA`])
      assertRefused(await club.step({ challenge: stolen.challenge, cookie }, codeNow()), 401, 10003);
    assert.equal(await club.isLinked(who), false);

    const stale = await comeBack('w-2');
    const challenge = await comeBack('w-1');
    assertRefused(await club.step(challenge, '000000'), 400, 10009);
    assert.equal(await club.isLinked(who), false);
    const { token } = assertWritten(await club.step(challenge, codeNow()));
    assert.equal(
      assertRead(await createPerson(gallery, 'wary', token, who.id).get('/api/auth/user')).id,
      who.id,
    );
    assert.equal(await club.isLinked(who), true);
    assertRefused(await club.step(challenge, codeNow()), 401, 10003);
    assert.equal((await club.signIn('w-1', said)).user?.id, who.id, 'from now on the provider alone');

    // A second provider user who was also asked for a code is not linked. After the link, other provider
    // users with the same email address get an error page.
    assertRefused(await club.step(stale, codeNow()), 401, 10003);
    assert.deepEqual(await club.signIn('w-3', said), { led: '/sign-in?problem=email' });
    assert.equal((await club.signIn('w-2', { email: 'other@example.org' })).user?.id, other.id);
    const acts = await readAuditLog(root, 'actor=wary&action=user.update');
    assert.equal(acts.filter(({ details }) => details.oidc === true).length, 1);
  });

  test('accepts the earlier of two tabs of a browser that wait for a code', async () => {
    const who = await club.confirmed('tabbed');
    const codeNow = await club.withFactor(who);
    gallery.deps.config.passwordLogin = false;
    const browser = createCookieBrowser();
    const comeBack = () => club.returnFromProvider('tabbed-1', { email: 'tabbed@example.org' }, browser);
    const [earlier, later] = [await comeBack(), await comeBack()];
    let last = later;
    for (let more = 0; more < 5; more++) last = await comeBack();
    assert.ok(last.cookie.length < 300, `the cookie of many tabs stays small: ${last.cookie}`);
    assertRefused(
      await club.step({ challenge: earlier.challenge, cookie: last.cookie }, codeNow()),
      401,
      10003,
    );
    assertWritten(await club.step({ challenge: earlier.challenge, cookie: later.cookie }, codeNow()));
    assert.equal(await club.isLinked(who), true);
  });

  test('reads the admin role from the provider with the second step, no sooner and no later', async () => {
    const who = await club.confirmed('keeper');
    const codeNow = await club.withFactor(who);
    gallery.deps.config.passwordLogin = false;
    const isAdmin = async () => assertRead(await who.get('/api/auth/user')).is_admin;
    const setAdmin = (is_admin: boolean) => root.put(`/api/admin/users/${who.id}`, { is_admin });
    const email = 'keeper@example.org';
    const unlink = () => runLightwell(gallery, ['user', 'end-keys', who.name]);

    const gained = await club.returnFromProvider('k-9', { email, groups: ['keepers'] });
    assertRefused(await club.step(gained, '000000'), 400, 10009);
    assert.equal(await isAdmin(), false);
    assertWritten(await club.step(gained, codeNow()));
    assert.equal(await isAdmin(), true);

    await unlink();
    const lost = await club.returnFromProvider('k-9', { email, groups: ['others'] });
    assert.equal(await isAdmin(), true, 'who has only the email there takes nothing from it');
    assertWritten(await club.step(lost, codeNow()));
    assert.equal(await isAdmin(), false);
    const acts = await readAuditLog(root, 'actor=keeper&action=user.update');
    const told = acts.map(({ details }) => details).filter((details) => 'is_admin' in details);
    assert.deepEqual(
      told.map(({ is_admin, oidc }) => [is_admin, oidc]).sort(),
      [false, true].map((is_admin) => [is_admin, true]),
    );

    // Without the setting `adminClaim`, the gallery does not read the provider's claim about admins.
    const { oidc } = gallery.deps.config;
    gallery.deps.config.oidc = { ...oidc!, adminClaim: undefined };
    await unlink();
    assertWritten(await setAdmin(true));
    assertWritten(await club.step(await club.returnFromProvider('k-9', { email }), codeNow()));
    gallery.deps.config.oidc = oidc;
    assert.equal(await isAdmin(), true);
    assertWritten(await setAdmin(false));
  });

  test('expires when the account is disabled, and with its keys', async () => {
    const who = await club.confirmed('paused');
    const codeNow = await club.withFactor(who);
    const said = { email: 'paused@example.org' };
    const ends = {
      disabled: async () => {
        for (const status of [0, 1]) assertWritten(await root.put(`/api/admin/users/${who.id}`, { status }));
      },
      'keys ended': async () => {
        assertWritten(await root.put(`/api/admin/users/${who.id}`, { end_keys: true }));
      },
    };
    gallery.deps.config.passwordLogin = false;
    for (const end of Object.values(ends)) {
      const asked = await club.returnFromProvider('p-1', said);
      await end();
      assertRefused(await club.step(asked, codeNow()), 401, 10003);
    }
    const ties = gallery.deps.db.kysely.selectFrom('identities').selectAll().where('user_id', '=', who.id);
    assert.deepEqual(await ties.execute(), []);
  });
});
