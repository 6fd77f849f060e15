/** A gallery whose people sign in by an OpenID provider, some of them with a second factor. */
import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { assertReadSucceeded, assertWriteReturnedData } from '../../support/assert-answers.ts';
import { startGallery } from '../../support/harness.ts';
import { createCookieBrowser, oidcClient, startProvider } from '../../support/oidc.ts';
import {
  createPerson,
  createVisitor,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';

export const beginPath = '/api/auth/oidc';
const settings = { ...oidcClient, name: 'Example Club', adminClaim: { name: 'groups', value: 'keepers' } };

/** What the browser of somebody has who is asked for the second step. */
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

  /** Where one is led who signs in there, and as whom. */
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
      user: assertReadSucceeded(await createPerson(gallery, sub, token, 0).get('/api/auth/user')),
    };
  }

  const isLinked = async (who: Person) => assertReadSucceeded(await who.get(`${beginPath}/link`)).is_linked;

  /** Comes back from the provider to the second step: what that needs. */
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
    createVisitor(gallery).send('POST', '/api/auth/login/second', {
      body: JSON.stringify({ challenge, code }),
      headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    });
  /** Switches a second factor on; what it makes is the code of the next minute, or of so many seconds ahead. */
  async function withFactor(who: Person): Promise<(wait?: number) => string> {
    const { secret } = assertWriteReturnedData(await who.post('/api/auth/totp', { password }));
    const codeNow = (wait = 60) => {
      gallery.travel(wait);
      const timestamp = gallery.deps.clock() * 1000;
      return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });
    };
    assertWriteReturnedData(await who.post('/api/auth/totp/confirm', { code: codeNow() }));
    return codeNow;
  }

  return {
    gallery,
    provider,
    root,
    /** An account whose email is confirmed. */
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
