/** Tests the page after signing in: a URL from a foreign link never leads to another site. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { safePath } from '../../web/auth/safe-path.ts';

const origin = 'https://photos.example.org';

describe('the return path after signing in', () => {
  test('the return path after signing in leads to pages of the gallery, with their search', () => {
    for (const path of [
      '/',
      '/photos/12',
      '/search?q=tag:alps',
      '/albums/3/photos/4?x=1#comments',
      '/用户/小明',
    ]) {
      assert.equal(decodeURI(safePath(path, origin)), path);
    }
  });

  test('the return path after signing in replaces any other address with the home page', () => {
    const hostile = [
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      '\t//evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      '/./\\evil.example',
      '/%2e//evil.example',
      'https://evil.example',
      'https:evil.example',
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'photos/12',
      '',
      undefined,
      ['/photos/12'],
      { toString: () => '//evil.example' },
    ];
    for (const to of hostile) assert.equal(safePath(to, origin), '/', JSON.stringify(to));
  });

  test('the return path after signing in never leads to the sign-in page', () => {
    for (const path of ['/sign-in', '/sign-in?to=/sign-in', '/register', '/x/../register']) {
      assert.equal(safePath(path, origin), '/');
    }
  });

  test('the return path keeps the browser in the gallery for any input', () => {
    const parts = ['/', '//', '\\', '..', '.', '%2f', '%5c', '@', ':', '?', '#', 'evil.example', '\t', ' '];
    for (const a of parts)
      for (const b of parts)
        for (const c of parts) {
          const path = safePath(`/${a}${b}${c}`, origin);
          assert.equal(new URL(path, `${origin}/sign-in`).origin, origin, path);
        }
  });
});
