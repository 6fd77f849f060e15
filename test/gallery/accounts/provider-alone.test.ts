/**
 * Tests PASSWORD_LOGIN=0: only the OpenID provider signs users in, so a user whom the provider blocks has no
 * other way.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { startGallery } from '../../support/harness.ts';
import { asVisitor, password, register } from '../../support/people.ts';

test('a passkey opens nothing where people sign in at the provider alone, and is offered nowhere', async (context) => {
  const baseUrl = 'https://photos.example.org';
  const gallery = await startGallery({ baseUrl });
  context.after(() => gallery.close());
  const owner = await register(gallery, 'owner');
  const visitor = asVisitor(gallery);
  const authenticator = createAuthenticator(baseUrl);
  const asked = assertWritten(await owner.post('/api/auth/passkeys/options', { password }));
  const made = { name: 'Phone', response: authenticator.create(asked) };
  assertWritten(await owner.post('/api/auth/passkeys', made));
  const response = authenticator.get(assertWritten(await visitor.post('/api/auth/login/passkey/options')));

  const { config } = gallery.deps;
  config.passwordLogin = false;
  assert.equal(assertRead(await visitor.get('/api/site')).sign_in.passkey, false);
  assertRefused(await visitor.post('/api/auth/login/passkey/options'), 403, 403);
  assertRefused(await visitor.post('/api/auth/login/passkey', { response }), 403, 403);
  assertRefused(await owner.post('/api/auth/passkeys/options', { password }), 403, 403);
  const newcomer = { username: 'newcomer', email: 'newcomer@example.org', password };
  assertRefused(await visitor.post('/api/auth/register', newcomer), 403, 10007);

  config.passwordLogin = true;
  assertWritten(await visitor.post('/api/auth/login/passkey', { response }));
});
