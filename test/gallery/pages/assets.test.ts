/**
 * Tests static files of the pages: their names come from the document, they are compressed on request, and
 * cached permanently.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { readBuiltAssets } from '../../../server/gallery/pages/built-assets.ts';
import { webBuildFolder } from '../../../server/platform/http/web-build.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { exchangeRaw } from '../../support/raw.ts';

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
};
const skip = readBuiltAssets(webBuildFolder) ? false : 'the pages are not built: npm run build:web';

describe('assets', { skip }, () => {
  let gallery: Gallery;
  before(async () => {
    gallery = await startGallery();
  });
  after(() => gallery.close());

  async function findAssetPaths(page: string): Promise<string[]> {
    const html = await (await fetch(gallery.url + page)).text();
    return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  }

  /** Sends a raw request, because `fetch` would decompress the response. */
  async function sent(path: string, encoding: string) {
    const answer = await exchangeRaw(
      gallery,
      `GET ${path} HTTP/1.1\r\nHost: gallery\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`,
    );
    return answer;
  }

  test('all that the documents name is there, of its type, and immutable', async () => {
    for (const page of ['/', '/photos/1', '/sign-in', '/register']) {
      const paths = await findAssetPaths(page);
      assert.ok(paths.some((path) => path.endsWith('.js')) && paths.some((path) => path.endsWith('.css')));
      for (const path of paths) {
        const answer = await fetch(gallery.url + path);
        assert.equal(answer.status, 200, path);
        assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
        const kind = path.split('.').at(-1)!;
        assert.equal(answer.headers.get('content-type'), types[kind], path);
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
        assert.match(path, /-[\w-]{8}\.(?:js|css|png)$/);
      }
    }
  });

  test('are sent in br, gzip or plain, as the client accepts', async () => {
    const built = readBuiltAssets(webBuildFolder)!;
    // Picks a large script, because compression does not halve tiny files.
    const path = (await findAssetPaths('/')).find((one) => /\/core-.*\.js$/.test(one))!;
    const name = path.slice('/assets/'.length);
    const plain = await readFile(join(webBuildFolder, 'assets', name), 'utf8');
    const asked = await fetch(gallery.url + path, { headers: { 'Accept-Encoding': 'identity' } });
    assert.equal(await asked.text(), plain);
    for (const [accepted, encoding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
      ['br;q=0, gzip', 'gzip'],
    ] as const) {
      const { headers } = await fetch(gallery.url + path, { headers: { 'Accept-Encoding': accepted } });
      assert.equal(headers.get('content-encoding'), encoding, accepted);
      assert.match(headers.get('vary')!, /Accept-Encoding/);
    }
    const asset = built.assets.get(name)!;
    assert.ok('br' in asset);
    assert.equal(brotliDecompressSync(asset.br).toString(), plain);
    assert.equal(gunzipSync(asset.gzip).toString(), plain);
    assert.ok(asset.br.length < plain.length / 2);
  });

  test('answer a missing file with the envelope, and serve nothing beside the folder', async () => {
    const names = [
      'main-00000000.js',
      '',
      'x.css',
      '..%2f.vite%2fmanifest.json',
      '%2e%2e/.vite/manifest.json',
    ];
    for (const name of [...names, 'constructor', '__proto__']) {
      const { status, text } = await sent(`/assets/${name}`, 'identity');
      assert.equal(status, 404, name);
      assert.match(text, /"code":404/, name);
    }
  });

  test('the licences of what is inside are among them', async () => {
    const answer = await fetch(`${gallery.url}/assets/licenses.md`);
    assert.equal(answer.status, 200);
    const text = await answer.text();
    for (const name of ['react', '@tanstack/react-router', 'photoswipe', 'lucide-react']) {
      assert.ok(text.includes(name), name);
    }
    assert.match(text, /MIT License/);
  });
});
