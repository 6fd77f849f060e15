/** ID tokens that somebody else than the provider made, or that are not good now. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { client, createTraveller, startLiar, type TokenLies } from '../../support/oidc.ts';

const begin = '/api/auth/oidc';

describe('an ID token', () => {
  let gallery: Gallery;
  let liar: Awaited<ReturnType<typeof startLiar>>;

  before(async () => {
    liar = await startLiar();
    gallery = await startGallery({
      oidc: { ...client, name: 'Example Club', adminClaim: undefined, issuer: liar.issuer },
    });
  });
  after(async () => {
    await gallery.close();
    await liar.close();
  });

  /** Where one is led who comes back with such a token, and whether a session began. */
  async function attempt(lies: TokenLies) {
    const traveller = createTraveller();
    const way = await traveller.visit(gallery.url + begin);
    const { searchParams } = new URL(way.headers.get('location')!);
    liar.say(searchParams.get('nonce')!, lies);
    const back = `${gallery.url}${begin}/callback?code=c&state=${searchParams.get('state')}`;
    const led = await traveller.travel(back, gallery.url);
    return { led, isSignedIn: traveller.jars.get(gallery.url)!.has('lightwell_session') };
  }

  async function assertRefusedOf(kinds: Record<string, TokenLies>): Promise<void> {
    for (const [kind, lies] of Object.entries(kinds)) {
      const refused = { led: '/sign-in?problem=refused', isSignedIn: false };
      assert.deepEqual(await attempt(lies), refused, kind);
    }
    assert.deepEqual(await attempt({}), { led: '/', isSignedIn: true });
  }

  test('without a signature, or with a MAC by what the client or everybody knows, is refused', async () => {
    const HS256 = { alg: 'HS256' };
    const pem = liar.publicKey.export({ format: 'pem', type: 'spki' }) as string;
    await assertRefusedOf({
      'no signature': { header: { alg: 'none' }, isUnsigned: true },
      'no signature, in other letters': { header: { alg: 'nOnE' }, isUnsigned: true },
      'an empty signature': { isUnsigned: true },
      'a signature of no algorithm': { header: { alg: 'none' } },
      'the client secret': { header: HS256, mac: client.clientSecret },
      'the public key as text': { header: HS256, mac: pem },
      'the public key as text, trimmed': { header: HS256, mac: pem.trim() },
      'the public key as bytes': {
        header: HS256,
        mac: liar.publicKey.export({ format: 'der', type: 'spki' }),
      },
      'an algorithm of another family': { header: { alg: 'ES256' } },
    });
  });

  test('brings no key of its own: neither in its header nor where that points', async () => {
    const theirs = `${liar.issuer}/theirs`;
    const jwk = liar.strangersKey;
    await assertRefusedOf({
      'a key beside it': { header: { jwk }, isForged: true },
      'a key beside it, no id': { header: { jwk, kid: undefined }, isForged: true },
      'a place of keys': { header: { jku: theirs }, isForged: true },
      'a place of certificates': { header: { x5u: theirs }, isForged: true },
      'a path as the id': { header: { kid: theirs }, isForged: true },
      'an extension that must be known': { header: { crit: ['jwk'], jwk } },
    });
    assert.ok(!liar.visits.includes('/theirs'));
  });

  test('that is not good yet, or no more, is refused', async () => {
    const now = Math.floor(Date.now() / 1000);
    await assertRefusedOf({ 'in an hour': { nbf: now + 3600 }, 'an hour ago': { exp: now - 3600 } });
    assert.deepEqual(await attempt({ nbf: now - 3600 }), { led: '/', isSignedIn: true });
  });
});
