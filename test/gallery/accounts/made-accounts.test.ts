/** Every way to create an account gives it the default quota and an entry in the audit log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ensureConfiguredAdmin } from '../../../server/gallery/accounts/admin.ts';
import { createSetupCode } from '../../../server/gallery/accounts/setup.ts';
import { assertRead, assertWritten } from '../../support/assert-answers.ts';
import { createEnvironment, runCommand } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createCookieBrowser, oidcClient, startProvider } from '../../support/oidc.ts';
import { asVisitor, createPerson, password } from '../../support/people.ts';

const quota = 7;

function join(gallery: Gallery, username: string, more: object) {
  const given = { username, email: `${username}@example.org`, password, ...more };
  return asVisitor(gallery).post('/api/auth/register', given);
}

test('a new account has the quota of DEFAULT_QUOTA_MB and stands in the log, however it was made', async (context) => {
  const provider = await startProvider();
  context.after(() => provider.close());
  const gallery = await startGallery({
    defaultQuotaBytes: quota * 1024 ** 2,
    oidc: { ...oidcClient, name: 'Club', adminClaim: undefined, issuer: provider.issuer },
  });
  context.after(() => gallery.close());
  const { deps, url } = gallery;
  const setup = await createSetupCode(deps);
  const { user, token } = assertWritten(await join(gallery, 'by-console', { setup }));
  const root = createPerson(gallery, user.username, token, user.id);
  assertWritten(await join(gallery, 'by-herself', {}));
  const { token: invite } = assertWritten(await root.post('/api/admin/invites', {}));
  assertWritten(await join(gallery, 'by-invite', { invite }));
  provider.know(`${url}/api/auth/oidc/callback`);
  provider.signIn('s', { email: 's@example.org', preferred_username: 'by-provider' });
  assert.equal(await createCookieBrowser().travel(`${url}/api/auth/oidc`, url), '/');
  const environment = { ...createEnvironment(deps.config), DEFAULT_QUOTA_MB: String(quota) };
  const create = ['user', 'create', 'by-command', 'c@example.org'];
  assert.equal((await runCommand(environment, create, { input: password })).code, 0);
  const admin = { username: 'by-settings', email: 'settings@example.org', password };
  await ensureConfiguredAdmin({ ...deps, config: { ...deps.config, admin } });

  const names = ['by-command', 'by-console', 'by-herself', 'by-invite', 'by-provider', 'by-settings'];
  const { list } = assertRead(await root.get('/api/admin/users'));
  const quotas = list.map((one: { username: string; quota_mb: number }) => [one.username, one.quota_mb]);
  assert.deepEqual(
    quotas.sort(),
    names.map((name) => [name, quota]),
  );
  const log = assertRead(await root.get('/api/admin/logs?action=user.create&page_size=100')).list;
  // Keeps log entries without an IP address, which are actions. Login attempts have an address.
  const acts = log.filter(({ address }: { address: string }) => address === '');
  assert.deepEqual(acts.map(({ target }: { target: { name: string } }) => target.name).sort(), names);
});

test('accounts that are there keep their quota', async (context) => {
  const gallery = await startGallery();
  context.after(() => gallery.close());
  const { user, token } = assertWritten(await join(gallery, 'before', {}));
  gallery.deps.config.defaultQuotaBytes = quota * 1024 ** 2;
  assertWritten(await join(gallery, 'later', {}));
  const before = createPerson(gallery, user.username, token, user.id);
  assert.equal(assertRead(await before.get('/api/auth/user')).quota_mb, null);
});
