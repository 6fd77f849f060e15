/** Guessing codes is slowed, and keeps no owner out. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { assertRefused, assertWritten } from '../../support/answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Person, password, postFrom, register } from '../../support/people.ts';

describe('guessing codes with the right password', () => {
  let gallery: Gallery;

  before(async () => {
    gallery = await startGallery({ trustProxy: true, rateLimit: 0 });
  });
  after(() => gallery.close());

  async function withFactor(name: string): Promise<{ who: Person; codes: string[] }> {
    const who = await register(gallery, name);
    const { secret } = assertWritten(await who.post('/api/auth/totp', { password }));
    for (let n = 0; n < 9; n++)
      assertRefused(await who.post('/api/auth/totp/confirm', { code: '000000' }), 400, 10009);
    const timestamp = gallery.deps.clock() * 1000;
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });
    const { recovery_codes } = assertWritten(await who.post('/api/auth/totp/confirm', { code }));
    return { who, codes: recovery_codes };
  }

  async function tryCode(address: string, username: string, code: string) {
    const { body } = await postFrom(gallery, address, '/api/auth/login', { username, password });
    assert.equal(body.code, 10008);
    return postFrom(gallery, address, '/api/auth/login/second', { challenge: body.data.challenge, code });
  }

  const wrong = 'ffff-ffff-ffff-ffff-ffff';

  test('uses up the tries of an address, not those of the owner elsewhere, nor of setting one up', async () => {
    const { codes } = await withFactor('few');
    for (let n = 0; n < 10; n++) assertRefused(await tryCode('192.0.2.1', 'few', wrong), 400, 10009);
    assertRefused(await tryCode('192.0.2.1', 'few', codes[0]!), 429, 429);
    assertWritten(await tryCode('192.0.2.2', 'few', codes[0]!));
  });

  test('from many addresses is slowed together, and not where the owner is signed in', async () => {
    const { codes } = await withFactor('many');
    assertWritten(await tryCode('192.0.2.200', 'many', codes[0]!));
    for (let n = 0; n < 30; n++) assertRefused(await tryCode(`198.51.100.${n}`, 'many', wrong), 400, 10009);
    assertRefused(await tryCode('198.51.100.99', 'many', codes[1]!), 429, 429);
    assertWritten(await tryCode('192.0.2.200', 'many', codes[1]!));
  });
});
