/**
 * Tests documentation pages: the described settings are those that the server reads, and every link leads
 * somewhere.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { pages, textLines } from '../../scripts/pages.ts';
import { readConfig } from '../../server/config.ts';
import type { EnvironmentVariables } from '../../server/config-reader.ts';
import { pooledEnvironment } from '../platform/cluster/pgbouncer.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

interface Row {
  names: string[];
  /** Default values of the settings. Undefined if the table describes the defaults in words. */
  presets: string[] | undefined;
}

const settings = readRows('docs/settings.md');

test('the settings table names every variable that the server reads, and no other', () => {
  const asked = new Set<string>();
  const environment = new Proxy<EnvironmentVariables>(
    {},
    {
      get(_, name) {
        asked.add(String(name).replace(/_FILE$/, ''));
        return undefined;
      },
    },
  );
  readConfig(environment);
  assert.ok(asked.size > 20, 'no variables were read');
  assert.deepEqual(settings.flatMap(({ names }) => names).sort(), [...asked].sort());
});

test('the settings table tells what an unset variable stands for', () => {
  const unset = readConfig({});
  const told = settings.filter(({ presets }) => presets);
  assert.ok(told.length > 10, 'the table was not understood');
  for (const { names, presets } of told) {
    assert.equal(names.length, presets!.length, names.join());
    for (const [index, name] of names.entries()) {
      assert.deepEqual(readConfig({ [name]: presets![index]! }), unset, name);
    }
  }
});

test('docs/postgresql.md tells what a gallery behind PgBouncer needs, as the tests of it are set up', () => {
  const paragraph = read('docs/postgresql.md')
    .split('\n\n')
    .find((text) => text.includes('Through PgBouncer'))!;
  for (const [name, value] of Object.entries(pooledEnvironment)) {
    assert.ok(paragraph.includes(`\`${name}\``) && paragraph.includes(`\`${value}\``), name);
  }
  // PgBouncer's default for this setting would keep the gallery unavailable for fifteen seconds after
  // PostgreSQL is back.
  const retry = /^server_login_retry = \d+$/m.exec(read('test/platform/cluster/pgbouncer.ts'))![0];
  assert.ok(paragraph.includes(`\`${retry}\``), retry);
});

for (const file of pages) {
  test(`every link and file that ${file} names exists`, () => {
    const text = textLines(file).join('\n');
    const links = [...text.matchAll(/\]\((?!https?:)([^)]+)/g)].map(([, link]) => link!);
    const named = [...text.matchAll(/`((?:server|scripts|test|bench|docs|deploy)\/[\w./-]+)`/g)].map(
      ([, path]) => path!,
    );
    assert.deepEqual(
      named.filter((path) => !existsSync(resolve(root, path))),
      [],
    );
    assert.deepEqual(
      links.filter((link) => !isThere(link, file)),
      [],
    );
  });
}

test('README.md leads to every page of docs', () => {
  const text = read('README.md');
  const own = globSync('docs/*.md', { cwd: root });
  assert.ok(own.length > 10);
  assert.deepEqual(
    own.filter((file) => !text.includes(`](${file})`)),
    [],
  );
});

/** Tells whether the file that a link names exists, and the heading if the link names one. */
function isThere(link: string, from: string): boolean {
  const [path, heading] = link.split('#') as [string, string?];
  const file = path === '' ? from : join(dirname(from), path);
  if (!existsSync(resolve(root, file))) return false;
  return heading === undefined || listHeadings(file).includes(heading);
}

/** Returns the anchors that GitHub creates for the headings of a page. */
function listHeadings(file: string): string[] {
  return textLines(file)
    .filter((line) => /^#+ /.test(line))
    .map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
}

function readRows(file: string): Row[] {
  const lines = read(file)
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  return lines.map((line) => {
    const [names, preset] = line.slice(2).split(' | ');
    const isLiteral = /^`[^`]+`(?:, `[^`]+`)*$/.test(preset!);
    return { names: literals(names!), presets: isLiteral ? literals(preset!) : undefined };
  });
}

function literals(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
}
