/**
 * Only the library module writes the visibility and albums of photos, and only states.ts knows states by
 * number.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { Kysely } from 'kysely';
import type { Tables } from '../../../server/platform/db/tables.ts';

const root = join(import.meta.dirname, '../../../server');
const kernel = 'gallery/library/';
/** Migrations are left out, because they keep the SQL that they once had. */
const migrations = 'platform/db/migrations/';

const files = globSync('**/*.{ts,js}', { cwd: root })
  .filter((file) => !file.startsWith(migrations))
  .map((file) => ({ file, code: withoutComments(readFileSync(join(root, file), 'utf8')) }));

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

/** Returns `file: match` for each match of the pattern in files that `may` does not allow. */
function findAll(pattern: RegExp, may: (file: string) => boolean): string[] {
  return files
    .filter(({ file }) => !may(file))
    .flatMap(({ file, code }) => [...code.matchAll(pattern)].map(([found]) => `${file}: ${found}`));
}

const written = 'photos|photo_tags|photo_totals|tag_totals|visibility_jobs|albums';
/** A migration shares this file with the kernel. */
const sharedFile = 'platform/db/tag-sort-keys.ts';
const isKernel = (file: string) => file.startsWith(kernel) || file === sharedFile;

suite('the kernel', () => {
  test('alone inserts and deletes rows of photos and albums, and of what repeats them', () => {
    const builders = new RegExp(`\\b(?:insertInto|deleteFrom|replaceInto)\\(\\s*'(?:${written})'`, 'g');
    assert.deepEqual(findAll(builders, isKernel), []);
  });

  test('alone writes them as SQL', () => {
    const statements = new RegExp(
      `\\b(?:INSERT INTO|UPDATE|DELETE FROM)\\s+"?(?:${written})\\b(?! (?:OR|ON|OF))`,
      'gi',
    );
    assert.deepEqual(findAll(statements, isKernel), []);
  });

  test('alone takes the columns that the compiler refuses to others, and writes the search index', () => {
    assert.deepEqual(findAll(/\bwriting\(|\bLibraryTables\b/g, isKernel), []);
    const isDatabase = (file: string) => file.startsWith('platform/db/');
    assert.deepEqual(
      findAll(/\bsearch\.(?:put|remove)\(/g, (file) => isKernel(file) || isDatabase(file)),
      [],
    );
  });

  test('is the only place that the types allow: elsewhere these do not compile (npm run check)', () => {
    const attempts = (kysely: Kysely<Tables>) => [
      // @ts-expect-error
      kysely.updateTable('photos').set({ visibility: 2 }),
      // @ts-expect-error
      kysely.updateTable('photos').set({ level: 1 }),
      // @ts-expect-error
      kysely.updateTable('photos').set({ album_id: null }),
      // @ts-expect-error
      kysely.updateTable('album_photos').set({ position: 1 }),
      // @ts-expect-error
      kysely.updateTable('albums').set({ visibility: 2 }),
      // @ts-expect-error
      kysely.updateTable('photo_tags').set({ visibility: 2 }),
      // @ts-expect-error
      kysely.updateTable('photo_totals').set({ n: 1 }),
    ];
    assert.equal(attempts.length, 1);
  });
});

suite('states', () => {
  test('are compared and written by name', () => {
    const state = '(?:visibility|visibility_now|status|owner_status)';
    const number = '-?[0-2]\\b(?!\\d|\\.)';
    const patterns = [
      // Matches comparisons such as `visibility === 2`, `visibility: 2`, `visibility = 2` and `status >= 0`.
      new RegExp(`\\b${state}"?\\)?\\s*(?:[=!]==?|[<>]=?|<>|=|:|\\?\\?)\\s*${number}`, 'g'),
      // Matches comparisons with the number first, such as `2 === visibility`.
      new RegExp(`(?<![\\w.])${number}\\s*(?:[=!]==?|[<>]=?)\\s*[\\w.?]*\\b${state}\\b`, 'g'),
      // Matches arguments such as `'…visibility', '=', 2` and `'…visibility', 'in', [1, 2]`.
      new RegExp(`\\b${state}'\\)?,\\s*'(?:[!<>=]+|(?:not )?in)',\\s*(?:\\[\\s*)?${number}`, 'g'),
      // Matches SQL such as `visibility IN (1, 2)`.
      new RegExp(`\\b${state}\\s+(?:NOT\\s+)?IN\\s*\\(\\s*${number}`, 'gi'),
    ];
    const isExample = (file: string) => file.endsWith('schema.ts') || file.endsWith('log-list.ts');
    const isItself = (file: string) => file === 'platform/db/states.ts';
    const found = patterns.flatMap((pattern) =>
      findAll(pattern, (file) => isItself(file) || isExample(file)),
    );
    assert.deepEqual(found, []);
  });
});
