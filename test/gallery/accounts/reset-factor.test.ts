/** A password reset link does not bypass the second factor. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { assertDone, assertWritten } from '../../support/assert-answers.ts';
import { startGallery } from '../../support/harness.ts';
import { asVisitor, password, register, registerAdmin } from '../../support/people.ts';

test('a new password by link leaves the second factor on, and signs nobody in', async (context) => {
  const gallery = await startGallery();
  context.after(() => gallery.close());
  const root = await registerAdmin(gallery, 'root');
  const who = await register(gallery, 'careful');
  const { secret } = assertWritten(await who.post('/api/auth/totp', { password }));
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: 30 });
  const code = totp.generate({ timestamp: gallery.deps.clock() * 1000 });
  assertWritten(await who.post('/api/auth/totp/confirm', { code }));
  const { url } = assertWritten(await root.post(`/api/admin/users/${who.id}/reset-link`));
  const token = url.split('#')[1];
  const reset = await asVisitor(gallery).post('/api/auth/reset', { token, password: 'another horse 8' });
  assertDone(reset);
  assert.equal(reset.headers.get('set-cookie'), null);
  const login = { username: 'careful', password: 'another horse 8' };
  const { status, body } = await asVisitor(gallery).post('/api/auth/login', login);
  assert.deepEqual([status, body.code, 'token' in body.data], [401, 10008, false]);
});
