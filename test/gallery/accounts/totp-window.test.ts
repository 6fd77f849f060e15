/** Tests how long the server accepts a code of an authenticator app, by the server's clock. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, password, register } from '../../support/people.ts';

const period = 30;
let gallery: Gallery;

before(async () => {
  gallery = await startGallery();
});
after(() => gallery.close());

test('a code is valid in its half minute and the ones beside it, no earlier and no later', async () => {
  const who = await register(gallery, 'ansel');
  const { secret } = assertWritten(await who.post('/api/auth/totp', { password }));
  const codeAt = (time: number) =>
    TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: time * 1000 });
  assertWritten(await who.post('/api/auth/totp/confirm', { code: codeAt(gallery.deps.clock()) }));

  async function tryCode(code: string) {
    const login = await asVisitor(gallery).post('/api/auth/login', { username: who.name, password });
    const { challenge } = login.body.data;
    return asVisitor(gallery).post('/api/auth/login/second', { challenge, code });
  }
  /**
   * Moves the clock to the start of a 30-second period, long after the last used code, so that no code is
   * refused as older.
   */
  function goOn(): number {
    gallery.travel(10 * period - (gallery.deps.clock() % period) + 1);
    return gallery.deps.clock();
  }
  for (const steps of [-2, 2, -5, 5]) {
    assertRefused(await tryCode(codeAt(goOn() + steps * period)), 400, 10009);
  }
  for (const steps of [-1, 0, 1]) {
    const answer = await tryCode(codeAt(goOn() + steps * period));
    assert.equal(answer.status, 200, `${steps}: ${answer.body.message}`);
  }
});
