/** Tests URLs without a page: browsers get an HTML page, programs get JSON, and both get a 404. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readBuiltAssets } from '../../../server/gallery/pages/built-assets.ts';
import { webBuildFolder } from '../../../server/platform/http/web-build.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';

/** The Accept header that Firefox, Chromium or Safari sends when it opens a page. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const programs = ['*/*', 'application/json', 'application/json, text/html;q=0.5', ''];
const paths = ['/nope/x', '/docs/', '/wp-login.php', '/photos', '/assets/x/y'];

const isBuilt = readBuiltAssets(webBuildFolder) !== undefined;
const kinds = [
  { name: 'with pages', pagesFolder: webBuildFolder, skip: isBuilt ? false : 'npm run build:web' },
  { name: 'without pages', pagesFolder: '/nowhere', skip: false },
];

for (const { name, pagesFolder, skip } of kinds) {
  describe(`a gallery ${name}`, { skip }, () => {
    let gallery: Gallery;
    before(async () => {
      gallery = await startGallery({}, { pagesFolder });
    });
    after(() => gallery.close());

    async function ask(path: string, accept: string, more: { method?: string; language?: string } = {}) {
      const { method = 'GET', language = 'en' } = more;
      const headers = { Accept: accept, 'Accept-Language': language };
      const answer = await fetch(gallery.url + path, { method, headers });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    }

    test('says so in a page, under a policy, that leads home', async () => {
      for (const path of paths) {
        const { status, headers, text } = await ask(path, browser);
        assert.equal(status, 404, path);
        assert.match(headers.get('content-type')!, /^text\/html/);
        assert.match(headers.get('content-security-policy')!, /^default-src 'none'/);
        assert.match(headers.get('cache-control')!, /no-cache/);
        assert.match(headers.get('vary')!, /Accept(,|$)/);
        assert.match(text, /<h1>Page not found<\/h1>/);
        assert.match(text, /<a [^>]*href="\/"/);
      }
      const head = await ask('/nope', browser, { method: 'HEAD' });
      assert.equal(head.status, 404);
      assert.match(head.headers.get('content-type')!, /^text\/html/);
    });

    test('programs get the envelope, and so do other methods', async () => {
      for (const accept of programs) {
        for (const path of paths) {
          const { status, headers, text } = await ask(path, accept);
          assert.equal(status, 404, `${path} ${accept}`);
          assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
          assert.deepEqual(JSON.parse(text), { code: 404, message: 'The resource does not exist' });
          assert.match(headers.get('vary')!, /Accept(,|$)/);
        }
      }
      const posted = await ask('/nope', browser, { method: 'POST' });
      assert.equal(posted.status, 404);
      assert.equal(JSON.parse(posted.text).code, 404);
      const known = await ask('/docs', browser, { method: 'DELETE' });
      assert.equal(known.status, 405);
      assert.equal(JSON.parse(known.text).code, 405);
    });

    test('the API, files and shares answer as ever, whatever is asked for', async () => {
      for (const path of ['/api/nope', '/api', '/API/photos', '/storage/nope']) {
        const { status, text } = await ask(path, browser);
        assert.equal(status, 404, path);
        // The router is case-sensitive, so /API is not the API.
        if (path !== '/API/photos') assert.equal(JSON.parse(text).code, 404, path);
      }
      const share = await ask('/s/nope', browser);
      assert.equal(share.status, 404);
      assert.match(share.text, /Shared with Lightwell/);
    });

    if (pagesFolder === webBuildFolder) {
      test('answers in the language of its reader, within the frame of the gallery', async () => {
        const { text, headers } = await ask('/nope', browser, { language: 'zh' });
        assert.equal(headers.get('content-language'), 'zh-CN');
        assert.match(text, /<h1>未找到页面<\/h1>/);
        assert.match(text, /<script type="module" src="\/assets\//);
        assert.match(text, /<header class="bar">/);
      });
    }
  });
}
