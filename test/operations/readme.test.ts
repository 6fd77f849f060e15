/** The README: its settings are those that the server reads, its lines can be read, its links lead somewhere. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { type Environment, readConfig } from '../../server/config.ts';
import { pooledEnvironment } from '../cluster/pgbouncer.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

interface Row {
  names: string[];
  /** Undefined where the table describes it in words. */
  presets: string[] | undefined;
}

const settings = rowsOf('## Settings');

test('the settings table names every variable that the server reads, and no other', () => {
  const asked = new Set<string>();
  const environment = new Proxy<Environment>(
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

test('the README tells what a gallery behind PgBouncer needs, as the tests of it are set up', () => {
  const paragraph = read('README.md')
    .split('\n\n')
    .find((text) => text.includes('Through PgBouncer'))!;
  for (const [name, value] of Object.entries(pooledEnvironment)) {
    assert.ok(paragraph.includes(`\`${name}\``) && paragraph.includes(`\`${value}\``), name);
  }
  // Its default keeps the gallery out for fifteen seconds after PostgreSQL is back.
  const retry = /^server_login_retry = \d+$/m.exec(read('test/cluster/pgbouncer.ts'))![0];
  assert.ok(paragraph.includes(`\`${retry}\``), retry);
});

for (const file of ['README.md', 'CHANGELOG.md', 'CONTEXT.md', 'CONTRIBUTING.md']) {
  test(`${file} has lines of at most 120 characters outside tables and code`, () => {
    const long = textLines(file).filter((line) => !line.startsWith('|') && [...line].length > 120);
    assert.deepEqual(long, []);
  });

  test(`what ${file} links to, and the files that it names, are there`, () => {
    const text = textLines(file).join('\n');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path!);
    const named = [...text.matchAll(/`((?:server|scripts|test|bench|docs|deploy)\/[\w./-]+)`/g)].map(
      ([, path]) => path!,
    );
    assert.deepEqual(
      [...links, ...named].filter((path) => !existsSync(resolve(root, path))),
      [],
    );
  });
}

function rowsOf(heading: string): Row[] {
  const section = read('README.md').split(`${heading}\n`)[1]!.split('\n## ')[0]!;
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) => {
    const [names, preset] = line.slice(2).split(' | ');
    const isLiteral = /^`[^`]+`(?:, `[^`]+`)*$/.test(preset!);
    return { names: literals(names!), presets: isLiteral ? literals(preset!) : undefined };
  });
}

function literals(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
}

function textLines(file: string): string[] {
  const withoutCode = read(file).replaceAll(/^```[\s\S]*?^```$/gm, '');
  return withoutCode.split('\n');
}
