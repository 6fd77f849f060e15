import assert from 'node:assert/strict';
import { test } from 'node:test';
import pkg from '../../../package.json' with { type: 'json' };
import { assertRead } from '../../support/assert-answers.ts';
import { startGallery } from '../../support/harness.ts';
import { asVisitor, register } from '../../support/people.ts';

test('the gallery says what it offers, before anybody has an account', async (context) => {
  const gallery = await startGallery({
    siteName: 'The Smiths ★',
    rateLimit: 77,
    maxMegapixels: 99,
    maxUploadBytes: 7 * 1024 * 1024,
  });
  context.after(() => gallery.close());
  const read = async () => assertRead(await asVisitor(gallery).get('/api/site'));
  const site = await read();
  assert.deepEqual(site, {
    name: 'The Smiths ★',
    welcome: '',
    logo: '',
    accent_color: '',
    version: pkg.version,
    access: 'public',
    is_access_fixed: false,
    registration: 'open',
    has_users: false,
    has_admin: false,
    password_min_length: 6,
    mail: false,
    sign_in: { password: true, oidc: null, passkey: true },
    formats: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/tiff', 'image/heic'],
    max_upload_mb: 7,
    max_megapixels: 99,
    rate_limit: 77,
    languages: ['en', 'zh-CN'],
  });
  await register(gallery, 'first');
  assert.deepEqual(await read(), { ...site, has_users: true });
});
