/**
 * Tests that the server refuses ID tokens of another issuer, for another recipient, or outside of their
 * validity.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  computeChallenge,
  createCookieBrowser,
  type FalseTokenClaims,
  oidcClient,
  startLyingProvider,
} from '../../support/oidc.ts';

const begin = '/api/auth/oidc';

describe('an ID token', () => {
  let gallery: Gallery;
  let liar: Awaited<ReturnType<typeof startLyingProvider>>;

  before(async () => {
    liar = await startLyingProvider();
    gallery = await startGallery({
      oidc: { ...oidcClient, name: 'Example Club', adminClaim: undefined, issuer: liar.issuer },
    });
  });
  after(async () => {
    await gallery.close();
    await liar.close();
  });

  /**
   * Returns from the provider with a false ID token. Returns the requested parameters, the redirect, and
   * whether a session started.
   */
  async function attempt(lies: FalseTokenClaims) {
    const traveller = createCookieBrowser();
    const way = await traveller.visitUrl(gallery.url + begin);
    const { searchParams } = new URL(way.headers.get('location')!);
    liar.say(searchParams.get('nonce')!, lies);
    const back = `${gallery.url}${begin}/callback?code=c&state=${searchParams.get('state')}`;
    const led = await traveller.travel(back, gallery.url);
    const isSignedIn = traveller.jars.get(gallery.url)!.has('lightwell_session');
    return { led, isSignedIn, asked: searchParams };
  }

  async function assertAllRefused(kinds: Record<string, FalseTokenClaims>): Promise<void> {
    for (const [kind, lies] of Object.entries(kinds)) {
      const { led, isSignedIn } = await attempt(lies);
      assert.deepEqual([led, isSignedIn], ['/sign-in?problem=refused', false], kind);
    }
    await assertTaken({});
  }

  async function assertTaken(lies: FalseTokenClaims): Promise<void> {
    const { led, isSignedIn } = await attempt(lies);
    assert.deepEqual([led, isSignedIn], ['/', true]);
  }

  test('is requested with a challenge that its verifier answers', async () => {
    const { led, asked } = await attempt({});
    assert.equal(led, '/');
    assert.equal(asked.get('redirect_uri'), `${gallery.url}${begin}/callback`);
    assert.equal(asked.get('code_challenge_method'), 'S256');
    assert.equal(asked.get('code_challenge'), computeChallenge(liar.verifiers.at(-1)!));
  });

  test('is refused when it is for another sign-in, client, issuer or key', async () => {
    await assertAllRefused({
      'another nonce': { nonce: 'another' },
      'another audience': { aud: 'another' },
      'another issuer': { iss: 'https://id.example.com' },
      'a key of somebody else': { isForged: true },
    });
  });

  test('signs nobody in when the provider refuses it, and may come later when the provider fails', async () => {
    for (const status of [400, 500])
      assert.equal((await attempt({ status })).led, '/sign-in?problem=refused', String(status));
    for (const status of [502, 503, 504])
      assert.equal((await attempt({ status })).led, '/sign-in?problem=unreachable', String(status));
    const traveller = createCookieBrowser();
    const there = (await traveller.visitUrl(gallery.url + begin)).headers.get('location')!;
    const said = `error=temporarily_unavailable&state=${new URL(there).searchParams.get('state')}`;
    const led = await traveller.travel(`${gallery.url}${begin}/callback?${said}`, gallery.url);
    assert.equal(led, '/sign-in?problem=unreachable');
  });

  test('is refused without a signature, or with a MAC by a key that the client or everybody knows', async () => {
    const HS256 = { alg: 'HS256' };
    const pem = liar.publicKey.export({ format: 'pem', type: 'spki' }) as string;
    await assertAllRefused({
      'no signature': { header: { alg: 'none' }, isUnsigned: true },
      'no signature, in other letters': { header: { alg: 'nOnE' }, isUnsigned: true },
      'an empty signature': { isUnsigned: true },
      'a signature of no algorithm': { header: { alg: 'none' } },
      'the client secret': { header: HS256, mac: oidcClient.clientSecret },
      'the public key as text': { header: HS256, mac: pem },
      'the public key as text, trimmed': { header: HS256, mac: pem.trim() },
      'the public key as bytes': {
        header: HS256,
        mac: liar.publicKey.export({ format: 'der', type: 'spki' }),
      },
      'an algorithm of another family': { header: { alg: 'ES256' } },
    });
  });

  test('brings no key of its own, neither in its header nor at an address that it names', async () => {
    const theirs = `${liar.issuer}/theirs`;
    const jwk = liar.strangersKey;
    await assertAllRefused({
      'a key beside it': { header: { jwk }, isForged: true },
      'a key beside it, no id': { header: { jwk, kid: undefined }, isForged: true },
      'a place of keys': { header: { jku: theirs }, isForged: true },
      'a place of certificates': { header: { x5u: theirs }, isForged: true },
      'a path as the id': { header: { kid: theirs }, isForged: true },
      'an extension that must be known': { header: { crit: ['jwk'], jwk } },
    });
    assert.ok(!liar.visits.includes('/theirs'));
  });

  test('is refused when it is not yet valid or has expired', async () => {
    const now = Math.floor(Date.now() / 1000);
    await assertAllRefused({ 'in an hour': { nbf: now + 3600 }, 'an hour ago': { exp: now - 3600 } });
    await assertTaken({ nbf: now - 3600 });
  });
});
