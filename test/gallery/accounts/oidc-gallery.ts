/** Starts a gallery whose users sign in with an OpenID provider, some of them with a second factor. */
import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { assertRead, assertWritten } from '../../support/assert-answers.ts';
import { startGallery } from '../../support/harness.ts';
import { createCookieBrowser, oidcClient, startProvider } from '../../support/oidc.ts';
import {
  asVisitor,
  createPerson,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';

export const beginPath = '/api/auth/oidc';
const settings = { ...oidcClient, name: 'Example Club', adminClaim: { name: 'groups', value: 'keepers' } };

/** The challenge and cookie that a browser gets when the second step is required. */
export interface ProviderRequest {
  challenge: string;
  cookie: string;
}

export type ClubGallery = Awaited<ReturnType<typeof startClub>>;

export async function startClub() {
  const provider = await startProvider();
  const gallery = await startGallery({ oidc: { ...settings, issuer: provider.issuer } });
  provider.know(`${gallery.url}${beginPath}/callback`);
  const root = await registerAdmin(gallery, 'root');

  const confirmed = async (name: string): Promise<Person> => {
    const who = await register(gallery, name);
    await gallery.deps.db.kysely
      .updateTable('users')
      .set({ email_confirmed: 1 })
      .where('id', '=', who.id)
      .execute();
    return who;
  };

  /** Signs in with the provider. Returns the page to which the gallery redirects, and the user. */
  async function signIn(
    sub: string,
    said: Record<string, unknown>,
  ): Promise<{ led: string; user?: { id: number } }> {
    provider.signIn(sub, { email_verified: true, ...said });
    const traveller = createCookieBrowser();
    const led = await traveller.travel(gallery.url + beginPath, gallery.url);
    const token = traveller.jars.get(gallery.url)?.get('lightwell_session');
    if (token === undefined) return { led };
    return {
      led,
      user: assertRead(await createPerson(gallery, sub, token, 0).get('/api/auth/user')),
    };
  }

  const isLinked = async (who: Person) => assertRead(await who.get(`${beginPath}/link`)).is_linked;

  /** Returns from the provider to the second step, and returns the challenge and cookie for the step. */
  async function returnFromProvider(
    sub: string,
    said: Record<string, unknown>,
    traveller = createCookieBrowser(),
  ): Promise<ProviderRequest> {
    provider.signIn(sub, { email_verified: true, ...said });
    let url = gallery.url + beginPath;
    while (!url.startsWith(`${gallery.url}/sign-in`)) {
      const response = await traveller.visitUrl(url);
      url = new URL(response.headers.get('location')!, url).href;
    }
    assert.equal(traveller.jars.get(gallery.url)?.has('lightwell_session') ?? false, false);
    const { pathname, search, hash } = new URL(url);
    assert.equal(pathname + search, '/sign-in?problem=second');
    const cookie = [...traveller.jars.get(gallery.url)!].map((pair) => pair.join('=')).join('; ');
    return { challenge: hash.slice(1), cookie };
  }
  const step = ({ challenge, cookie }: ProviderRequest, code: string) =>
    asVisitor(gallery).send('POST', '/api/auth/login/second', {
      body: JSON.stringify({ challenge, code }),
      headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    });
  /**
   * Turns on a second factor. Returns a function that moves the clock ahead (60 seconds by default) and
   * generates a code.
   */
  async function withFactor(who: Person): Promise<(wait?: number) => string> {
    const { secret } = assertWritten(await who.post('/api/auth/totp', { password }));
    const codeNow = (wait = 60) => {
      gallery.travel(wait);
      const timestamp = gallery.deps.clock() * 1000;
      return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });
    };
    assertWritten(await who.post('/api/auth/totp/confirm', { code: codeNow() }));
    return codeNow;
  }

  return {
    gallery,
    provider,
    root,
    /** Registers an account with a confirmed email address. */
    confirmed,
    signIn,
    isLinked,
    returnFromProvider,
    step,
    withFactor,
    async close() {
      await gallery.close();
      await provider.close();
    },
  };
}
