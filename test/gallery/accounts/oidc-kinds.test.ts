/** Tests sign-ins at providers that behave like Authelia, Authentik, Keycloak, Pocket ID and Google. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ConfigError, readConfig } from '../../../server/config.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createCookieBrowser, oidcClient } from '../../support/oidc.ts';
import { type ProviderKind, providerKinds, startProviderKind } from '../../support/oidc-kinds.ts';
import { createPerson, registerAdmin } from '../../support/people.ts';

const begin = '/api/auth/oidc';

type Settings = Record<string, string>;

/** Starts a gallery with the settings that docs/sign-in.md names, read as the server reads them. */
async function startWith(context: TestContext, kind: ProviderKind, settings: Settings = {}) {
  const provider = await startProviderKind(kind);
  const isPublic = kind.accepts === 'none';
  const gallery = await startGallery({
    oidc: readConfig({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: oidcClient.clientId,
      ...(isPublic ? { OIDC_AUTH_METHOD: 'none' } : { OIDC_CLIENT_SECRET: oidcClient.clientSecret }),
      ...settings,
    }).oidc,
  });
  context.after(async () => {
    await gallery.close();
    await provider.close();
  });
  return { gallery, provider, isAdmin: createIsAdmin(gallery) };
}

/** Returns a function that signs in and returns the account, or the page to which a failed sign-in leads. */
function createIsAdmin(gallery: Gallery) {
  return async () => {
    const traveller = createCookieBrowser();
    const led = await traveller.travel(gallery.url + begin, gallery.url);
    const token = traveller.jars.get(gallery.url)?.get('lightwell_session');
    if (token === undefined) return led;
    return assertRead(await createPerson(gallery, 'person', token, 0).get('/api/auth/user')).is_admin;
  };
}

const ann = { email: 'ann@example.org', email_verified: true, preferred_username: 'ann', name: 'Ann' };
const inGroup = { groups: ['family', 'keepers'] };
const inRole = { realm_access: { roles: ['family', 'keepers'] } };

const cases: Record<keyof typeof providerKinds, { settings: Settings; rights: object; none: object }> = {
  Authelia: {
    settings: { OIDC_SCOPE: 'openid profile email groups', OIDC_ADMIN_CLAIM: 'groups=keepers' },
    rights: inGroup,
    none: { groups: [] },
  },
  'Authentik without a signing key': {
    settings: { OIDC_ADMIN_CLAIM: 'groups=keepers' },
    rights: inGroup,
    none: { groups: ['family'] },
  },
  Keycloak: {
    settings: { OIDC_SCOPE: 'openid profile email roles', OIDC_ADMIN_CLAIM: 'realm_access.roles=keepers' },
    rights: inRole,
    none: { realm_access: { roles: [] } },
  },
  'Pocket ID': {
    settings: { OIDC_SCOPE: 'openid profile email groups', OIDC_ADMIN_CLAIM: 'groups=keepers' },
    rights: inGroup,
    none: { groups: [] },
  },
  Google: { settings: {}, rights: {}, none: {} },
};

for (const [name, { settings, rights, none }] of Object.entries(cases)) {
  test(`signs in at ${name} and follows its groups`, async (context) => {
    const kind: ProviderKind = providerKinds[name as keyof typeof providerKinds];
    const { gallery, provider, isAdmin } = await startWith(context, kind, settings);
    await registerAdmin(gallery, 'root');
    const hasGroups = settings.OIDC_ADMIN_CLAIM !== undefined;
    provider.signIn('1', { ...ann, ...rights });
    assert.equal(await isAdmin(), hasGroups);
    assert.equal(await isAdmin(), hasGroups, 'a second time');
    provider.signIn('1', { ...ann, ...none });
    assert.equal(await isAdmin(), false);
    assert.deepEqual(gallery.complaints(), []);
  });
}

test('takes no rights when the provider stops to send the claim, and warns of it', async (context) => {
  const settings = { OIDC_ADMIN_CLAIM: 'groups=keepers' };
  const { gallery, provider, isAdmin } = await startWith(context, providerKinds.Keycloak, settings);
  const root = await registerAdmin(gallery, 'root');
  provider.signIn('1', ann);
  assert.equal(await isAdmin(), false);
  const { db } = gallery.deps;
  await db.kysely.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'ann').execute();
  for (const claims of [ann, { ...ann, groups: null }]) {
    provider.signIn('1', claims);
    assert.equal(await isAdmin(), true);
  }
  assert.match(gallery.complaints().at(-1)!, /did not send the claim of OIDC_ADMIN_CLAIM, .* OIDC_SCOPE/);
  await db.kysely.updateTable('users').set({ is_admin: 0 }).where('id', '=', root.id).execute();
  assert.equal(await isAdmin(), true, 'the last admin');
});

/** Claims of other providers, with the setting that reads them, and whether they make an admin. */
const claimForms: [setting: string, claims: object, isAdmin: boolean][] = [
  ['groups=keepers', { groups: 'keepers' }, true],
  ['groups=keepers', { groups: 'keepers of bees' }, false],
  ['groups=/keepers', { groups: ['/keepers'] }, true],
  ['groups=7', { groups: [7] }, true],
  ['is_admin', { is_admin: true }, true],
  ['is_admin', { is_admin: 'true' }, true],
  ['is_admin', { is_admin: 'yes' }, false],
  ['is_admin', { is_admin: false }, false],
  ['is_admin=true', { is_admin: true }, true],
  [
    'resource_access.my.client.roles=keepers',
    { resource_access: { 'my.client': { roles: ['keepers'] } } },
    true,
  ],
  ['https://example.org/roles=keepers', { 'https://example.org/roles': ['keepers'] }, true],
  ['urn:zitadel:roles=keepers', { 'urn:zitadel:roles': { keepers: { '1': 'home' } } }, true],
  ['realm_access.roles=toString', { realm_access: { roles: {} } }, false],
  ['groups=', { groups: [null, {}] }, false],
];

test('reads the admin claim in the forms of other providers', async (context) => {
  const names = [...new Set(claimForms.flatMap(([, claims]) => Object.keys(claims)))];
  const kind = {
    ...providerKinds.Keycloak,
    claimsOfScope: { email: ['email', 'email_verified'], profile: names },
  };
  const { gallery, provider, isAdmin } = await startWith(context, kind);
  await registerAdmin(gallery, 'root');
  for (const [n, [setting, claims, expected]] of claimForms.entries()) {
    const { oidc } = readConfig({
      OIDC_ISSUER: 'https://x',
      OIDC_CLIENT_ID: 'x',
      OIDC_CLIENT_SECRET: 'x',
      OIDC_ADMIN_CLAIM: setting,
    });
    gallery.deps.config.oidc!.adminClaim = oidc!.adminClaim;
    provider.signIn(`form-${n}`, { email: `form-${n}@example.org`, email_verified: true, ...claims });
    assert.equal(await isAdmin(), expected, `${setting} ${JSON.stringify(claims)}`);
  }
});

test('takes the confirmation of an email only from the response with that email', async (context) => {
  const { gallery, provider, isAdmin } = await startWith(
    context,
    {
      ...providerKinds.Keycloak,
      onlyInUserinfo: ['email_verified'],
    },
    { OIDC_ADMIN_CLAIM: 'groups=keepers' },
  );
  const victim = await registerAdmin(gallery, 'victim');
  const { db } = gallery.deps;
  await db.kysely.updateTable('users').set({ email_confirmed: 1 }).where('id', '=', victim.id).execute();
  provider.signIn('eve', { email: 'victim@example.org', email_verified: true });
  assert.equal(await isAdmin(), '/sign-in?problem=email');
});

test('reads and refuses the settings of a provider', () => {
  const read = (settings: Settings) =>
    readConfig({
      OIDC_ISSUER: 'https://id.example.org',
      OIDC_CLIENT_ID: 'x',
      OIDC_CLIENT_SECRET: 's',
      ...settings,
    });
  assert.equal(read({}).oidc!.scope, 'openid profile email');
  assert.equal(read({ OIDC_SCOPE: ' openid   groups ' }).oidc!.scope, 'openid groups');
  const address = 'https://id.example.org/realms/home/.well-known/openid-configuration';
  assert.equal(read({ OIDC_ISSUER: address }).oidc!.issuer, 'https://id.example.org/realms/home');
  const wrong: [Settings, RegExp][] = [
    [{ OIDC_SCOPE: 'profile email' }, /OIDC_SCOPE: must be names .* openid/],
    [{ OIDC_SCOPE: 'openid,email' }, /OIDC_SCOPE: must be names/],
    [{ OIDC_SCOPE: 'openid "groups"' }, /OIDC_SCOPE: must be names/],
    [{ OIDC_SIGNING_ALG: 'none' }, /OIDC_SIGNING_ALG: must be one of RS256/],
    [{ OIDC_AUTH_METHOD: 'basic' }, /OIDC_AUTH_METHOD: must be one of client_secret_basic/],
    [{ OIDC_AUTH_METHOD: 'none' }, /unset OIDC_CLIENT_SECRET/],
    [{ OIDC_AUTH_METHOD: 'none', OIDC_CLIENT_SECRET: '', OIDC_SIGNING_ALG: 'HS256' }, /HS256 needs/],
    [{ OIDC_CLIENT_SECRET: '' }, /OIDC_AUTH_METHOD=none instead/],
    [
      { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '', OIDC_SCOPE: 'openid' },
      /need OIDC_ISSUER/,
    ],
  ];
  for (const [settings, message] of wrong)
    assert.throws(
      () => read(settings),
      (error) => error instanceof ConfigError && message.test(error.message),
    );
});
