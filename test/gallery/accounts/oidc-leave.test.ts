/** Leaving, of who signs in by the OpenID provider alone. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused } from '../../support/answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { client, createTraveller, startProvider } from '../../support/oidc.ts';
import { type Person, person, register, registerAdmin } from '../../support/people.ts';

const begin = '/api/auth/oidc';

describe('leaving', () => {
  let gallery: Gallery;
  let root: Person;
  let provider: Awaited<ReturnType<typeof startProvider>>;

  before(async () => {
    provider = await startProvider();
    const oidc = { ...client, name: 'Example Club', adminClaim: undefined, issuer: provider.issuer };
    gallery = await startGallery({ oidc });
    provider.know(`${gallery.url}${begin}/callback`);
    root = await registerAdmin(gallery, 'root');
  });
  after(async () => {
    await gallery.close();
    await provider.close();
  });

  test('an account without a password leaves by its name, in a session that has just begun', async () => {
    const leave = (who: Person, body: object) =>
      who.send('DELETE', '/api/auth/user', {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    provider.signIn('l-1', { email: 'lea@example.org', preferred_username: 'lea' });
    const come = async () => {
      const traveller = createTraveller();
      await traveller.travel(gallery.url + begin, gallery.url);
      const token = traveller.jars.get(gallery.url)?.get('lightwell_session');
      const { id } = assertRead(await person(gallery, 'traveller', token, 0).get('/api/auth/user'));
      return person(gallery, 'lea', token, id);
    };
    const lea = await come();
    assertRefused(await leave(lea, {}), 400, 400, ['password']);
    assertRefused(await leave(lea, { password: null, username: null }), 400, 400, ['password']);
    assertRefused(await leave(lea, { password: 'x' }), 400, 10005);
    assertRefused(await leave(lea, { username: 'root' }), 400, 400, ['username']);
    // Who has a password says it, however young the session is.
    assertRefused(await leave(root, { username: 'root' }), 400, 10005);
    // Another use of the session does not make it younger.
    gallery.travel(601);
    assertRead(await lea.get('/api/auth/user'));
    assertRefused(await leave(lea, { username: 'lea' }), 403, 10010);
    const again = await come();
    assert.equal(again.id, lea.id);
    assertDone(await leave(again, { username: 'Lea' }));
    for (const who of [lea, again]) assertRefused(await who.get('/api/auth/user'), 401, 10006);
    // Where passwords sign nobody in, those that are there are asked for no more.
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
});
