/** Tests hosts that a stranger writes into headers: they reach no link, no cookie and no page. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Config } from '../../../server/config.ts';
import { startGallery } from '../../support/harness.ts';
import { oidcClient } from '../../support/oidc.ts';
import { providerKinds, startProviderKind } from '../../support/oidc-kinds.ts';
import { addPhoto, password, register } from '../../support/people.ts';
import { createRequestHead, exchangeRaw } from '../../support/raw.ts';

type Headers = Record<string, string>;

const evil = 'evil.example';
/** Headers that some proxies send, and that a client can write as well. */
const forwarded: Headers[] = [
  { 'X-Forwarded-Host': evil },
  { 'X-Forwarded-Host': `${evil}, photos.example.org` },
  { Forwarded: `for=203.0.113.9;host=${evil};proto=https` },
  { 'X-Host': evil },
  { 'X-Original-Host': evil },
  { 'X-Forwarded-Server': evil },
  { 'X-HTTP-Host-Override': evil },
  { 'X-Forwarded-Prefix': `//${evil}` },
  { 'X-Original-URL': `//${evil}/` },
  { 'X-Rewrite-URL': `//${evil}/` },
  { 'X-Forwarded-Proto': `https://${evil}/?` },
  { 'X-Forwarded-Port': `443@${evil}` },
  { 'X-Forwarded-Scheme': `https://${evil}` },
];
const hosts: Headers[] = [
  { Host: evil },
  { Host: `photos.example.org:443@${evil}` },
  { Host: `${evil}/photos.example.org` },
  { Host: `photos.example.org.${evil}` },
  { Host: `"><script src=//${evil}>` },
];

async function start(context: TestContext, config: Partial<Config>) {
  const provider = await startProviderKind(providerKinds.Google);
  const oidc = { ...oidcClient, issuer: provider.issuer, name: 'Club', adminClaim: undefined };
  const gallery = await startGallery({ oidc, ...config });
  context.after(async () => {
    await gallery.close();
    await provider.close();
  });
  const ann = await register(gallery, 'ann');
  const { id } = await addPhoto(ann);
  const own = new URL(gallery.url).host;

  /** Sends each kind of request whose response contains links or cookies, with the headers of a stranger. */
  return async (headers: Headers): Promise<void> => {
    const send = (method: string, path: string, more: Headers = {}, body?: object) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const ofBody = { 'Content-Type': 'application/json', 'Content-Length': String(text.length) };
      const all = { Host: own, ...more, ...(body && ofBody), ...headers };
      return exchangeRaw(gallery, createRequestHead(method, path, all) + text);
    };
    const token = { Authorization: `Bearer ${ann.token}` };
    const answers = [
      await send('GET', '/', { Accept: 'text/html' }),
      await send('GET', `/photos/${id}`, { Accept: 'text/html' }),
      await send('GET', '/api/site'),
      await send('GET', `/api/photos/${id}`, token),
      await send('POST', `/api/photos/${id}/share`, token, {}),
      await send('POST', '/api/auth/login', {}, { username: 'ann', password, cookie: true }),
      await send('GET', '/api/auth/oidc'),
    ];
    for (const { text, status } of answers) {
      assert.ok(status < 500, `${JSON.stringify(headers)}: ${status}`);
      assert.ok(!text.includes(evil), `${JSON.stringify(headers)}: ${text.slice(0, 3000)}`);
    }
  };
}

test('headers about another host count for nothing without TRUST_PROXY', async (context) => {
  const assertClean = await start(context, {});
  for (const headers of forwarded) await assertClean(headers);
});

test('BASE_URL wins over the Host and over the headers of a trusted proxy', async (context) => {
  const assertClean = await start(context, { baseUrl: 'https://photos.example.org', trustProxy: true });
  for (const headers of [...forwarded, ...hosts]) await assertClean(headers);
});
