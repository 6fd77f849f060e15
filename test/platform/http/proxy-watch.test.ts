/**
 * Tests a proxy that TRUST_PROXY does not name: the log gets one warning, admins see one line, and the proxy
 * gains no trust.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Config } from '../../../server/config.ts';
import { assertRead } from '../../support/assert-answers.ts';
import { startGallery } from '../../support/harness.ts';
import { asVisitor, register, registerAdmin } from '../../support/people.ts';

async function start(context: TestContext, config: Partial<Config> = {}) {
  const gallery = await startGallery(config);
  context.after(() => gallery.close());
  const admin = await registerAdmin(gallery, 'admin');
  const ask = (headers: Record<string, string>) => asVisitor(gallery).get('/api/photos', headers);
  const shown = async () => assertRead(await admin.get('/api/admin/stats')).unnamed_proxy;
  return { gallery, ask, shown };
}

test('a forgotten TRUST_PROXY is told once in the log, and to admins', async (context) => {
  const { gallery, ask, shown } = await start(context, { rateLimit: 12 });
  assert.equal(await shown(), '');
  await ask({ forwarded: 'for=203.0.113.9;proto=https' });
  assert.equal(await shown(), '127.0.0.1');
  for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip'])
    await ask({ [name]: '203.0.113.7' });
  assert.equal(gallery.complaints().length, 1);
  const { level, msg, address } = JSON.parse(gallery.complaints()[0]!);
  assert.deepEqual([level, address], [40, '127.0.0.1']);
  assert.match(msg, /set TRUST_PROXY to its address \(docs\/deploy\.md\)$/);

  const member = await register(gallery, 'member');
  assert.equal((await member.get('/api/admin/stats')).status, 403);
  const site = await asVisitor(gallery).get('/api/site');
  assert.ok(!JSON.stringify(site.body).includes('127.0.0.1'), 'nobody else is told');
  // The server still ignores the header: all requests count for one caller.
  const answers = [];
  for (let n = 0; n < 12; n++) answers.push(await ask({ 'x-forwarded-for': `203.0.113.${n}` }));
  assert.equal(answers.at(-1)!.status, 429);
});

test('a proxy that TRUST_PROXY names is none to warn of, another one is', async (context) => {
  const named = await start(context, { trustProxy: ['loopback'] });
  await named.ask({ 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' });
  assert.equal(await named.shown(), '');
  assert.deepEqual(named.gallery.complaints(), []);
  const other = await start(context, { trustProxy: ['10.0.0.0/8'] });
  await other.ask({ 'x-forwarded-for': '203.0.113.9' });
  assert.equal(await other.shown(), '127.0.0.1');
});

test('each header that proxies write reveals a forgotten TRUST_PROXY', async (context) => {
  const headers = {
    'x-forwarded-for': '203.0.113.9, 10.0.0.2',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'photos.example.org',
    'x-real-ip': '203.0.113.9',
    forwarded: 'for=203.0.113.9',
  };
  const { gallery, ask, shown } = await start(context);
  for (const [name, value] of Object.entries(headers)) {
    gallery.shared.proxies.address = '';
    await ask({ [name]: value });
    assert.equal(await shown(), '127.0.0.1', name);
  }
});
