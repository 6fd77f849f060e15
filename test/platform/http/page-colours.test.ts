import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const readText = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Returns the custom properties of a style sheet that hold colors (`--paper: …;`), by name. */
function coloursIn(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/--([\w-]+): (#\w+);/g)].map(([, name, value]) => [name, value]),
  );
}

test('the pages behind links have the colours of the gallery, light and dark', () => {
  const [light = '', dark = ''] = readText('server/platform/http/base.css').split('@media');
  const tokens = readText('web/styles/tokens.css');
  const pairs = [...tokens.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\);/g)];
  assert.ok(pairs.length >= 9, `${pairs.length} colours`);
  assert.deepEqual(coloursIn(light), Object.fromEntries(pairs.map(([, name, one]) => [name, one])));
  assert.deepEqual(coloursIn(dark), Object.fromEntries(pairs.map(([, name, , other]) => [name, other])));
});
