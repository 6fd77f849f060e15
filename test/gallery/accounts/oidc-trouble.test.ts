import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead, assertRefused, assertWritten } from '../../support/answers.ts';
import { environmentOf, runCommand } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { challengeOf, client, createTraveller, startLiar, startProvider } from '../../support/oidc.ts';
import { anonymous, password, register, registerAdmin } from '../../support/people.ts';

const begin = '/api/auth/oidc';
const callback = `${begin}/callback`;
const settings = { ...client, name: 'Example Club', adminClaim: { name: 'groups', value: 'keepers' } };

describe('an OpenID provider that lies', () => {
  let gallery: Gallery;
  let liar: Awaited<ReturnType<typeof startLiar>>;

  before(async () => {
    liar = await startLiar();
    gallery = await startGallery({ oidc: { ...settings, adminClaim: undefined, issuer: liar.issuer } });
  });
  after(async () => {
    await gallery.close();
    await liar.close();
  });

  /** Where one is led, and what was asked for on the way there. */
  async function attempt(lies: Parameters<typeof liar.say>[1]) {
    const traveller = createTraveller();
    const way = await traveller.visit(gallery.url + begin);
    const { searchParams } = new URL(way.headers.get('location')!);
    liar.say(searchParams.get('nonce')!, lies);
    const back = `${gallery.url}${callback}?code=c&state=${searchParams.get('state')}`;
    return { led: await traveller.travel(back, gallery.url), asked: searchParams };
  }

  test('is believed when it does not', async () => {
    const { led, asked } = await attempt({});
    assert.equal(led, '/');
    assert.equal(asked.get('code_challenge_method'), 'S256');
    assert.equal(asked.get('code_challenge'), challengeOf(liar.verifiers.at(-1)!));
    assert.equal(asked.get('redirect_uri'), gallery.url + callback);
  });

  test('is not believed otherwise', async () => {
    const past = Math.floor(Date.now() / 1000) - 3600;
    const lies = [
      { nonce: 'another' },
      { aud: 'another' },
      { iss: 'https://id.example.com' },
      { exp: past },
      { isForged: true },
      { status: 400 },
      { status: 500 },
    ];
    for (const lie of lies) {
      assert.equal((await attempt(lie)).led, '/sign-in?problem=refused', JSON.stringify(lie));
    }
  });

  test('and is being restarted as one comes back is not said to have refused', async () => {
    for (const status of [502, 503, 504])
      assert.equal((await attempt({ status })).led, '/sign-in?problem=unreachable', String(status));
    const traveller = createTraveller();
    const there = (await traveller.visit(gallery.url + begin)).headers.get('location')!;
    const said = `error=temporarily_unavailable&state=${new URL(there).searchParams.get('state')}`;
    const led = await traveller.travel(`${gallery.url}${callback}?${said}`, gallery.url);
    assert.equal(led, '/sign-in?problem=unreachable');
  });
});

test('a provider that is down is told of, and nothing else stands still', async () => {
  const provider = await startProvider();
  await provider.goDown();
  const gallery = await startGallery({ oidc: { ...settings, issuer: provider.issuer } });
  const traveller = createTraveller();
  assert.equal(await traveller.travel(gallery.url + begin, gallery.url), '/sign-in?problem=unreachable');
  const site = assertRead(await anonymous(gallery).get('/api/site'));
  assert.deepEqual(site.sign_in.oidc, { name: 'Example Club' });
  await register(gallery, 'ann');
  await gallery.close();
});

test('so is one that goes down while somebody is there', async (context) => {
  const liar = await startLiar();
  const gallery = await startGallery({ oidc: { ...settings, issuer: liar.issuer } });
  context.after(() => gallery.close());
  const traveller = createTraveller();
  const there = (await traveller.visit(gallery.url + begin)).headers.get('location')!;
  await liar.close();
  const back = `${gallery.url}${callback}?code=c&state=${new URL(there).searchParams.get('state')}`;
  assert.equal(await traveller.travel(back, gallery.url), '/sign-in?problem=unreachable');
});

test('where passwords sign in no more, nobody registers or logs in by one', async () => {
  const provider = await startProvider();
  const gallery = await startGallery({ oidc: { ...settings, issuer: provider.issuer } });
  provider.know(gallery.url + callback);
  const ann = await register(gallery, 'ann');
  const root = await registerAdmin(gallery, 'root');
  const link = () => root.post(`/api/admin/users/${ann.id}/reset-link`);
  const token = assertWritten(await link()).url.split('#')[1];
  gallery.deps.config.passwordLogin = false;
  const visitor = anonymous(gallery);
  const account = { username: 'eve', email: 'eve@example.org', password };
  assertRefused(await visitor.post('/api/auth/register', account), 403, 10007);
  assertRefused(await visitor.post('/api/auth/login', { username: 'ann', password }), 403, 403);
  assertRefused(await visitor.post('/api/auth/reset', { token, password }), 403, 403);
  const refused = await link();
  assertRefused(refused, 403, 403);
  assert.match(refused.body.message, /a link to a new one would be of no use \(PASSWORD_LOGIN=0\)/);
  const environment = {
    ...environmentOf(gallery.deps.config),
    PASSWORD_LOGIN: '0',
    BASE_URL: 'https://photos.example.org',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.clientId,
    OIDC_CLIENT_SECRET: client.clientSecret,
  };
  const { code, out, error } = await runCommand(environment, ['user', 'reset-link', 'ann']);
  assert.deepEqual([code, out, error], [1, '', `error: ${refused.body.message}`]);
  assert.equal(assertRead(await visitor.get('/api/site')).sign_in.password, false);
  provider.signIn('a', { email: 'new@example.org' });
  assert.equal(await createTraveller().travel(gallery.url + begin, gallery.url), '/');
  await gallery.close();
  await provider.close();
});

test('without a provider there is nothing of it', async () => {
  const gallery = await startGallery();
  const visitor = anonymous(gallery);
  assertRefused(await visitor.get(begin), 404, 404);
  assertRefused(await visitor.get(callback), 404, 404);
  assert.equal(assertRead(await visitor.get('/api/site')).sign_in.oidc, null);
  await gallery.close();
});
