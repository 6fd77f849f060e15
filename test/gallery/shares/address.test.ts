import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../server/config.ts';
import type { Photo } from '../../../server/gallery/photos/schema.ts';
import { createShareAccess, isShareAccessValid } from '../../../server/gallery/shares/access.ts';
import { buildSrcset } from '../../../server/gallery/shares/pages/picture.ts';
import { createGallerySecret } from '../../../server/platform/db/secret.ts';
import { getBaseUrl } from '../../../server/platform/http/base-url.ts';
import { html } from '../../../server/platform/http/html.ts';

const config = { port: 3000, baseUrl: undefined } as Config;

function request(host: string, protocol = 'http'): FastifyRequest {
  return {
    host,
    protocol,
    headers: {},
    socket: { localAddress: '10.0.0.5', localPort: 8080 },
  } as unknown as FastifyRequest;
}

suite('the base of links', () => {
  test('is the setting, whatever the request says', () => {
    const set = { ...config, baseUrl: 'https://photos.example.org' };
    assert.equal(getBaseUrl(request('evil.example'), set), 'https://photos.example.org');
  });

  test('is the host of the request', () => {
    assert.equal(getBaseUrl(request('photos.example.org', 'https'), config), 'https://photos.example.org');
    assert.equal(getBaseUrl(request('192.168.1.4:3000'), config), 'http://192.168.1.4:3000');
    assert.equal(getBaseUrl(request('[2001:db8::1]:3000'), config), 'http://[2001:db8::1]:3000');
    assert.equal(getBaseUrl(request('my_gallery:3000'), config), 'http://my_gallery:3000');
  });

  test('is the address connected to where the host is none', () => {
    const bad = [
      '',
      'a b',
      'x/y',
      'x@y',
      'x"><script>',
      'x?y',
      'x#y',
      'x\\y',
      'x:99999',
      'x:',
      'ü.example',
      '[::1',
    ];
    for (const host of [...bad, 'x'.repeat(300), '-x\r\nSet-Cookie: a=b']) {
      assert.equal(getBaseUrl(request(host), config), 'http://10.0.0.5:8080', host);
    }
    assert.equal(getBaseUrl(request('x.org', 'javascript'), config), 'http://x.org');
    const bare = { host: '', protocol: 'http', headers: {}, socket: {} } as unknown as FastifyRequest;
    assert.equal(getBaseUrl(bare, config), 'http://localhost:3000');
  });
});

suite('html', () => {
  test('escapes values, and not the pages made of it', () => {
    const name = `<a href="x">&'</a>`;
    assert.equal(
      html`<p title="${name}">${html`<b>${name}</b>`}</p>`.text,
      '<p title="&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;"><b>&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;</b></p>',
    );
  });

  test('joins lists, and leaves out what is not there', () => {
    assert.equal(html`${['<', html`<br>`]}${undefined}${false}${0}${''}`.text, '&lt;<br>0');
  });
});

suite('an access', () => {
  const secret = createGallerySecret('secret of tests');
  const one = { token: 'A'.repeat(43), password_hash: 'a hash' };
  const other = { ...one, token: 'B'.repeat(43) };
  const changed = { ...one, password_hash: 'another hash' };

  test('holds for an hour, for one link and its password, under one secret', () => {
    const access = createShareAccess(one, 1000, secret);
    assert.ok(isShareAccessValid(access, one, 1000, secret));
    assert.ok(isShareAccessValid(access, one, 4599, secret));
    assert.ok(!isShareAccessValid(access, one, 4600, secret));
    assert.ok(!isShareAccessValid(access, other, 1000, secret));
    assert.ok(!isShareAccessValid(access, changed, 1000, secret), 'of another password');
    assert.ok(!isShareAccessValid(access, one, 1000, createGallerySecret('another secret')));
  });

  test('cannot be stretched', () => {
    const [, signature] = createShareAccess(one, 1000, secret).split('.');
    for (const forged of [
      `99999.${signature}`,
      `04600.${signature}`,
      `.${signature}`,
      signature!,
      '',
      '4600.',
    ]) {
      assert.ok(!isShareAccessValid(forged, one, 1000, secret), forged);
    }
  });
});

test('srcset names widths as the renditions have them', () => {
  const photo = { width: 1000, height: 3000, thumb: '/t', preview: '/p' } as Photo;
  assert.equal(
    buildSrcset(photo, (path) => path),
    '/t 133w, /p 533w',
  );
  assert.equal(
    buildSrcset({ ...photo, width: 100, height: 30 }, (path) => `..${path}`),
    '../p 100w',
  );
});
