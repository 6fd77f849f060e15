import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { joinPageStyles } from '../../../server/platform/http/page.ts';
import { pageBackgrounds } from '../../../server/platform/schema/color.ts';

const readText = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('the pages behind links have all colors of the gallery, in a syntax for older browsers', () => {
  const style = joinPageStyles();
  const pairs = [...readText('server/platform/http/tokens.css').matchAll(/--([\w-]+): light-dark\(/g)];
  assert.ok(pairs.length >= 9, `${pairs.length} colors`);
  for (const [, name] of pairs) assert.equal(style.split(`--${name}:`).length - 1, 3, String(name));
  assert.doesNotMatch(style, /light-dark/);
});

test('the backgrounds that the server knows are those of the pages', () => {
  assert.match(
    readText('server/platform/http/tokens.css'),
    new RegExp(`--paper: light-dark\\(${pageBackgrounds.light}, ${pageBackgrounds.dark}\\);`),
  );
});
