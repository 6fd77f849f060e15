import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { logIn, password, register } from '../../support/people.ts';

const origin = 'https://photos.example.org';

describe('the answer of an authenticator for a new passkey', () => {
  let gallery: Gallery;

  before(async () => {
    gallery = await startGallery({ baseUrl: origin });
  });
  after(() => gallery.close());

  test('adds a passkey once: a deleted passkey does not come back by it', async () => {
    const owner = await register(gallery, 'owner');
    const options = assertWritten(await owner.post('/api/auth/passkeys/options', { password }));
    const response = createAuthenticator(origin).create(options);
    const { id } = assertWritten(await owner.post('/api/auth/passkeys', { name: 'Phone', response }));
    assertDone(await owner.delete(`/api/auth/passkeys/${id}`));
    const again = await owner.post('/api/auth/passkeys', { name: 'Phone', response });
    assertRefused(again, 400, 400, ['response']);
    assert.deepEqual(assertRead(await owner.get('/api/auth/passkeys')).list, []);
  });

  test('adds nothing in another session of the same account, where the password was not given', async () => {
    const owner = await register(gallery, 'owner3');
    const elsewhere = await logIn(gallery, owner);
    const options = assertWritten(await owner.post('/api/auth/passkeys/options', { password }));
    const made = { name: 'Phone', response: createAuthenticator(origin).create(options) };
    assertRefused(await elsewhere.post('/api/auth/passkeys', made), 400, 400, ['response']);
    assertWritten(await owner.post('/api/auth/passkeys', made));
  });

  test('adds one passkey for one confirmed password, also when several arrive at once', async () => {
    const owner = await register(gallery, 'owner2');
    const options = assertWritten(await owner.post('/api/auth/passkeys/options', { password }));
    const answers = await Promise.all(
      ['Phone', 'Laptop', 'Key', 'Watch'].map((name) => {
        const response = createAuthenticator(origin).create(options);
        return owner.post('/api/auth/passkeys', { name, response });
      }),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400]);
    assert.equal(assertRead(await owner.get('/api/auth/passkeys')).list.length, 1);
  });
});
