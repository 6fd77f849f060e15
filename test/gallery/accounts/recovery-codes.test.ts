/** Tests the format of recovery codes. second-factor.test.ts tests the use of recovery codes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { tokenHash } from '../../../server/gallery/identity/tokens.ts';
import { assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { startGallery } from '../../support/harness.ts';
import { asVisitor, password, register } from '../../support/people.ts';

test('a recovery code has 112 bits, and one made with 80 stays valid', async (context) => {
  const gallery = await startGallery();
  context.after(() => gallery.close());
  const who = await register(gallery, 'careful');
  const { secret } = assertWritten(await who.post('/api/auth/totp', { password }));
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: gallery.deps.clock() * 1000,
  });
  const { recovery_codes: codes } = assertWritten(await who.post('/api/auth/totp/confirm', { code }));
  for (const made of codes) assert.match(made, /^[0-9a-f]{4}(-[0-9a-f]{4}){6}$/);
  assert.equal(new Set(codes).size, 10);

  const older = 'abcd0123456789ef0011';
  const code_hash = tokenHash(`recovery code of ${who.id}: ${older}`);
  await gallery.deps.db.kysely.insertInto('recovery_codes').values({ user_id: who.id, code_hash }).execute();
  const second = async (given: string) => {
    const login = await asVisitor(gallery).post('/api/auth/login', { username: 'careful', password });
    const { challenge } = login.body.data;
    return asVisitor(gallery).post('/api/auth/login/second', { challenge, code: given });
  };
  assertRefused(await second(codes[0].slice(0, 24)), 400, 10009);
  assertWritten(await second('ABCD 0123 4567 89EF 0011'));
  assertWritten(await second(` ${codes[0].toUpperCase().replaceAll('-', '')} `));
});
