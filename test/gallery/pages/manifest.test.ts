/** The gallery is installable: the manifest, its icons, and the references in the documents. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { readBuiltAssets } from '../../../server/gallery/pages/built-assets.ts';
import { webBuildFolder } from '../../../server/platform/http/web-build.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';

const skip = readBuiltAssets(webBuildFolder) ? false : 'the pages are not built: npm run build:web';

describe('the manifest', { skip }, () => {
  let gallery: Gallery;
  before(async () => {
    gallery = await startGallery({ siteName: 'Club "Ansel" </b>' });
  });
  after(() => gallery.close());

  async function read(query = '', headers: Record<string, string> = {}) {
    const answer = await fetch(`${gallery.url}/manifest.webmanifest${query}`, { headers });
    return { answer, manifest: JSON.parse(await answer.text()) };
  }

  test('has the name of the gallery, its language, and no more than it keeps', async () => {
    const { answer, manifest } = await read();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/manifest+json; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'max-age=3600');
    assert.equal(manifest.name, 'Club "Ansel" </b>');
    assert.equal(manifest.lang, 'en');
    assert.equal(manifest.start_url, '/');
    assert.equal(manifest.display, 'standalone');
    assert.equal(manifest.theme_color, '#f7f5f2');
    const inChinese = (await read('?language=zh-CN')).manifest;
    assert.equal(inChinese.lang, 'zh-CN');
    assert.equal(inChinese.id, manifest.id, 'one app in both languages');
    assert.notEqual(inChinese.description, manifest.description);
    assert.equal((await read('', { 'Accept-Language': 'zh' })).manifest.lang, 'zh-CN');
    assert.equal((await fetch(`${gallery.url}/manifest.webmanifest?language=xx`)).status, 400);
  });

  test('names icons that exist in their sizes, and mask icons without a transparent corner', async () => {
    const { manifest } = await read();
    const kinds = manifest.icons.map(
      (icon: { purpose: string; sizes: string }) => `${icon.purpose} ${icon.sizes}`,
    );
    assert.deepEqual(kinds.sort(), ['any 192x192', 'any 512x512', 'maskable 192x192', 'maskable 512x512']);
    for (const { src, sizes, type, purpose } of manifest.icons) {
      const answer = await fetch(gallery.url + src);
      assert.equal(answer.headers.get('content-type'), type);
      assert.match(answer.headers.get('cache-control')!, /immutable/);
      const bytes = Buffer.from(await answer.arrayBuffer());
      const { width, height } = await sharp(bytes).metadata();
      assert.equal(`${width}x${height}`, sizes);
      const [, , , alpha] = await sharp(bytes)
        .ensureAlpha()
        .extract({ left: 0, top: 0, width: 1, height: 1 })
        .raw()
        .toBuffer();
      assert.equal(alpha, purpose === 'maskable' ? 255 : 0);
    }
    for (const { url } of manifest.shortcuts) assert.equal((await fetch(gallery.url + url)).status, 200);
  });

  test('documents name it in their language, with the colours of light and dark, and their policy lets it load', async () => {
    const answer = await fetch(gallery.url, { headers: { 'Accept-Language': 'zh' } });
    const html = await answer.text();
    assert.match(html, /<link rel="manifest" href="\/manifest\.webmanifest\?language=zh-CN">/);
    const [, touch] = /<link rel="apple-touch-icon" href="([^"]+)">/.exec(html)!;
    assert.equal((await fetch(gallery.url + touch)).status, 200);
    for (const scheme of ['light', 'dark'])
      assert.match(
        html,
        new RegExp(
          `<meta data-scheme="${scheme}" name="theme-color" content="#\\w+" media="\\(prefers-color-scheme: ${scheme}\\)">`,
        ),
      );
    assert.match(answer.headers.get('content-security-policy')!, /manifest-src 'self'/);
  });
});
