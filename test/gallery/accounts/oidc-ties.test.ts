/** What ties an account to a person at the OpenID provider, and what ends that. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { assertRead, assertWritten } from '../../support/answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { client, createTraveller, startProvider } from '../../support/oidc.ts';
import { type Person, password, person, register, registerAdmin } from '../../support/people.ts';

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
    const { secret } = assertWritten(await who.post('/api/auth/totp', { password }));
    const timestamp = gallery.deps.clock() * 1000;
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });
    assertWritten(await who.post('/api/auth/totp/confirm', { code }));
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
});
