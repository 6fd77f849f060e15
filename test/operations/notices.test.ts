/**
 * Production dependencies are used, and the licenses that must accompany the notices exist. `npm run check`
 * tests whether THIRD_PARTY_NOTICES.md names every package.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

test('every production dependency is used by the server', () => {
  const { dependencies } = JSON.parse(read('package.json'));
  const files = globSync('{server,bin}/**/*.{ts,js}', { cwd: root });
  const text = files.map(read).join('\n');
  const named = new Set([...text.matchAll(/['"`]((?:@[\w.-]+\/)?[\w.-]+)/g)].map(([, name]) => name));
  const unused = Object.keys(dependencies).filter((name) => !named.has(name));
  assert.ok(files.length > 100, 'the server was not found');
  assert.deepEqual(unused, []);
});

test('the libraries under the LGPL and the MPL have their notice, and their licences lie beside it', () => {
  assert.ok(existsSync(resolve(root, 'THIRD_PARTY_NOTICES.md')), 'there are no notices');
  const notices = read('THIRD_PARTY_NOTICES.md');
  const [section] = /^## Libraries under the LGPL and the MPL\n[\s\S]*?(?=^## )/m.exec(notices)!;
  const licences: [string, string, RegExp][] = [
    ['@img/sharp-libvips', 'LGPL-3.0', /GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/],
    ['@img/sharp-libvips', 'GPL-3.0', /GNU GENERAL PUBLIC LICENSE\s+Version 3/],
    ['libheif-js', 'LGPL-3.0', /GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/],
    ['exifreader', 'MPL-2.0', /Mozilla Public License Version 2\.0/],
  ];
  for (const [library, licence, text] of licences) {
    const paragraph = section.split('\n- ').find((part) => part.includes(library))!;
    assert.ok(paragraph.includes(`(licenses/${licence}.txt)`), `${library}: ${licence}`);
    assert.match(read(`licenses/${licence}.txt`), text);
  }
});
