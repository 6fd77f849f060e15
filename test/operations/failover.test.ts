/** One server of a pair stops: through Caddy, as deploy/Caddyfile sets it up, the other one goes on serving. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { startGallery } from '../harness.ts';
import { eventually } from '../holdings.ts';
import { nobody } from '../people.ts';
import { isMissing, kinds, startProxy } from '../proxies.ts';

const caddy = kinds.find(({ program }) => program === 'caddy')!;
const rounds = 4;
const atOnce = 6;

test('requests with a body do not make the server that is left look dead', {
  skip: isMissing(caddy),
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
  // Not through the tests' own client: what Caddy itself answers is none of the contract.
  const send = async () => (await fetch(`${proxy.url}/api/albums`, { method: 'POST', headers, body })).status;
  for (let round = 0; round < rounds; round++) {
    const statuses = await Promise.all(Array.from({ length: atOnce }, send));
    // 502 while Caddy has not noticed, and the body went to the one that is gone; else the gallery's own answer.
    assert.deepEqual(
      statuses.filter((status) => status !== 401 && status !== 502),
      [],
    );
    assert.equal((await nobody(proxy).get('/health/live')).status, 200, `after ${statuses}`);
  }
  await eventually(async () => assert.equal(await send(), 401), 20_000);
});
