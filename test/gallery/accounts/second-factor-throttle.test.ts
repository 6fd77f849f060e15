/** Guessing codes of a second factor is slowed down, without locking out the owner. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { assertRefused, assertWritten } from '../../support/assert-answers.ts';
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

  test('is checked seven times a minute from unknown places together, setup included', async () => {
    const { codes } = await withFactor('few');
    for (let n = 0; n < 7; n++) assertRefused(await tryCode(`198.51.100.${n}`, 'few', wrong), 400, 10009);
    const refused = await tryCode('198.51.100.99', 'few', codes[0]!);
    assertRefused(refused, 429, 429);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  });

  test('leaves three attempts to places where the owner is signed in, and ten a minute in all', async () => {
    const { codes } = await withFactor('many');
    const home = '192.0.2.200';
    assertWritten(await tryCode(home, 'many', codes[0]!));
    for (let n = 0; n < 7; n++) assertRefused(await tryCode(`203.0.113.${n}`, 'many', wrong), 400, 10009);
    for (let n = 0; n < 5; n++) assertRefused(await tryCode('203.0.113.99', 'many', wrong), 429, 429);
    assertWritten(await tryCode(home, 'many', codes[1]!));
    for (let n = 0; n < 3; n++) assertRefused(await tryCode(home, 'many', wrong), 400, 10009);
    assertRefused(await tryCode(home, 'many', codes[2]!), 429, 429);
  });
});
