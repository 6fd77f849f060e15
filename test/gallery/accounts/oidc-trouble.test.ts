/**
 * Tests OpenID sign-in while the provider is down, and galleries without a provider or without password
 * login.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { createEnvironment, runCommand } from '../../support/command.ts';
import { startGallery } from '../../support/harness.ts';
import { createCookieBrowser, oidcClient, startLyingProvider, startProvider } from '../../support/oidc.ts';
import { asVisitor, password, register, registerAdmin } from '../../support/people.ts';

const begin = '/api/auth/oidc';
const callback = `${begin}/callback`;
const settings = { ...oidcClient, name: 'Example Club', adminClaim: { name: 'groups', value: 'keepers' } };

test('a provider that is down is reported, and everything else works', async () => {
  const provider = await startProvider();
  await provider.goDown();
  const gallery = await startGallery({ oidc: { ...settings, issuer: provider.issuer } });
  const traveller = createCookieBrowser();
  assert.equal(await traveller.travel(gallery.url + begin, gallery.url), '/sign-in?problem=unreachable');
  const site = assertRead(await asVisitor(gallery).get('/api/site'));
  assert.deepEqual(site.sign_in.oidc, { name: 'Example Club' });
  await register(gallery, 'ann');
  await gallery.close();
});

test('a provider that goes down during a sign-in signs nobody in', async (context) => {
  const liar = await startLyingProvider();
  const gallery = await startGallery({ oidc: { ...settings, issuer: liar.issuer } });
  context.after(() => gallery.close());
  const traveller = createCookieBrowser();
  const there = (await traveller.visitUrl(gallery.url + begin)).headers.get('location')!;
  await liar.close();
  const back = `${gallery.url}${callback}?code=c&state=${new URL(there).searchParams.get('state')}`;
  assert.equal(await traveller.travel(back, gallery.url), '/sign-in?problem=unreachable');
});

test('a gallery without password sign-in lets nobody register or log in by password', async () => {
  const provider = await startProvider();
  const gallery = await startGallery({ oidc: { ...settings, issuer: provider.issuer } });
  provider.know(gallery.url + callback);
  const ann = await register(gallery, 'ann');
  const root = await registerAdmin(gallery, 'root');
  const link = () => root.post(`/api/admin/users/${ann.id}/reset-link`);
  const token = assertWritten(await link()).url.split('#')[1];
  gallery.deps.config.passwordLogin = false;
  const visitor = asVisitor(gallery);
  const account = { username: 'eve', email: 'eve@example.org', password };
  assertRefused(await visitor.post('/api/auth/register', account), 403, 10007);
  assertRefused(await visitor.post('/api/auth/login', { username: 'ann', password }), 403, 403);
  assertRefused(await visitor.post('/api/auth/reset', { token, password }), 403, 403);
  const refused = await link();
  assertRefused(refused, 403, 403);
  assert.match(refused.body.message, /turned off in this gallery \(PASSWORD_LOGIN=0\)/);
  const environment = {
    ...createEnvironment(gallery.deps.config),
    PASSWORD_LOGIN: '0',
    BASE_URL: 'https://photos.example.org',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: oidcClient.clientId,
    OIDC_CLIENT_SECRET: oidcClient.clientSecret,
  };
  const { code, out, error } = await runCommand(environment, ['user', 'reset-link', 'ann']);
  assert.deepEqual([code, out, error], [1, '', `error: ${refused.body.message}`]);
  assert.equal(assertRead(await visitor.get('/api/site')).sign_in.password, false);
  provider.signIn('a', { email: 'new@example.org' });
  assert.equal(await createCookieBrowser().travel(gallery.url + begin, gallery.url), '/');
  await gallery.close();
  await provider.close();
});

test('a gallery without a provider shows none of its parts', async () => {
  const gallery = await startGallery();
  const visitor = asVisitor(gallery);
  assertRefused(await visitor.get(begin), 404, 404);
  assertRefused(await visitor.get(callback), 404, 404);
  assert.equal(assertRead(await visitor.get('/api/site')).sign_in.oidc, null);
  await gallery.close();
});
