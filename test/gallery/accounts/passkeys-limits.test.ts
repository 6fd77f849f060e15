/** Tests limits of passkeys: guesses from one IP address, and galleries that cannot offer passkeys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { startGallery } from '../../support/harness.ts';
import { asVisitor } from '../../support/people.ts';

test('a passkey is not checked after fifty wrong answers a minute from one address', async (context) => {
  const gallery = await startGallery({ baseUrl: 'https://photos.example.org', trustProxy: true });
  context.after(() => gallery.close());
  const authenticator = createAuthenticator('https://photos.example.org');
  const wrong = async (address: string) => {
    const options = assertWritten(await asVisitor(gallery).post('/api/auth/login/passkey/options'));
    return asVisitor(gallery).send('POST', '/api/auth/login/passkey', {
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ response: authenticator.get(options) }),
    });
  };
  for (let n = 0; n < 50; n++) assertRefused(await wrong('192.0.2.1'), 401, 10003);
  assertRefused(await wrong('192.0.2.1'), 429, 429);
  assertRefused(await wrong('192.0.2.2'), 401, 10003);
});

test('a passkey is not offered by a gallery that is reached by an IP address', async () => {
  const gallery = await startGallery({ baseUrl: 'http://192.0.2.7:3000' });
  const visitor = asVisitor(gallery);
  assert.equal(assertRead(await visitor.get('/api/site')).sign_in.passkey, false);
  assertRefused(await visitor.post('/api/auth/login/passkey/options'), 400, 400, ['response']);
  await gallery.close();
});
