/**
 * Tests a pair of servers of which one stops. Through Caddy and nginx, set up as in deploy/, the other server
 * continues to serve.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { startProxy as startTcpProxy } from '../platform/cluster/proxy.ts';
import { eventually } from '../support/gallery-counts.ts';
import { startGallery } from '../support/harness.ts';
import { asVisitor } from '../support/people.ts';
import { findMissingReason, proxyKinds, startProxy } from '../support/proxies.ts';

const caddy = proxyKinds.find(({ program }) => program === 'caddy')!;
const nginx = proxyKinds.find(({ program }) => program === 'nginx')!;
const rounds = 4;
const atOnce = 6;

test('requests with a body do not make the server that is left look dead', {
  skip: findMissingReason(caddy),
}, async (context) => {
  const text = await readFile(resolve(import.meta.dirname, '../../deploy/Caddyfile'), 'utf8');
  const [stopped, left] = [await startGallery(), await startGallery()];
  const servers = [stopped, left].map(({ url }) => new URL(url).host).join(' ');
  const proxy = await startProxy(
    {
      ...caddy,
      config: (port) =>
        `{\n\tadmin off\n}\n${text
          .replace('{$SITE_ADDRESS:localhost}', `http://127.0.0.1:${port}`)
          .replace('lightwell-1:3000 lightwell-2:3000', servers)}`,
    },
    left,
  );
  context.after(async () => {
    await proxy.stop();
    await left.close();
  });

  await stopped.close();
  const body = JSON.stringify({ name: 'Hills' });
  const headers = { 'content-type': 'application/json' };
  // Uses `fetch` because the test client checks responses against the API contract, and Caddy's own responses
  // are not in it.
  const send = async () => (await fetch(`${proxy.url}/api/albums`, { method: 'POST', headers, body })).status;
  for (let round = 0; round < rounds; round++) {
    const statuses = await Promise.all(Array.from({ length: atOnce }, send));
    // Caddy returns 502 until it notices the stopped server, if it has already sent the body there. All other
    // responses come from the gallery.
    assert.deepEqual(
      statuses.filter((status) => status !== 401 && status !== 502),
      [],
    );
    assert.equal((await asVisitor(proxy).get('/health/live')).status, 200, `after ${statuses}`);
  }
  await eventually(async () => assert.equal(await send(), 401), 20_000);
});

test('two servers that restart one after the other are never both left alone by nginx', {
  skip: findMissingReason(nginx),
}, async (context) => {
  const text = await readFile(resolve(import.meta.dirname, '../../deploy/nginx-pair.conf'), 'utf8');
  const gallery = await startGallery();
  const port = Number(new URL(gallery.url).port);
  const [first, second] = [await startTcpProxy(port), await startTcpProxy(port)];
  const proxy = await startProxy(
    { ...nginx, config: (at, _, folder) => nginxConfig(text, at, folder) },
    gallery,
  );
  context.after(async () => {
    await proxy.stop();
    await Promise.all([first.close(), second.close()]);
    await gallery.close();
  });
  function nginxConfig(site: string, at: number, folder: string): string {
    const upstream = /^upstream [^}]*}/m
      .exec(site)![0]
      .replace('10.0.0.11:3000', `127.0.0.1:${first.port}`)
      .replace('10.0.0.12:3000', `127.0.0.1:${second.port}`);
    const location = /location \/ {\s+proxy_pass[^}]*}/.exec(site)![0];
    const server = `server { listen 127.0.0.1:${at}; ${location} }`;
    return nginx.config(at, 'lightwell', folder).replace(/^ *server .*$/m, () => `${upstream}\n${server}`);
  }

  for (const [stopped, left] of [
    [first, second],
    [second, first],
    [first, second],
  ] as const) {
    left.mode = 'pass';
    stopped.mode = 'refuse';
    stopped.cutAll();
    // Caddy tries the restarted server again at once, although it failed a moment ago.
    for (let n = 0; n < 2 * atOnce; n++) {
      assert.equal((await fetch(`${proxy.url}/api/photos?fresh=${n}`)).status, 200);
    }
  }
});
