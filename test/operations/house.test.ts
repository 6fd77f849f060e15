/** The plan of the house holds, and the check of it sees what would break it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf, type Imports, readImports } from '../../scripts/house.ts';

const faults = (imports: Record<string, string[]>) => faultsOf(new Map(Object.entries(imports)) as Imports);

test('nothing in server/ imports what stands above it, or in a circle', () => {
  const imports = readImports();
  assert.ok(imports.size > 400 && [...imports.values()].flat().length > 1000);
  assert.deepEqual(faultsOf(imports), []);
});

test('an arrow upwards is named, whichever way it is written', () => {
  assert.match(
    faults({ 'platform/db/a.ts': ['gallery/photos/b.ts'], 'gallery/photos/b.ts': [] }).join(),
    /platform.db.a\.ts imports gallery/,
  );
  assert.match(
    faults({ 'gallery/comments/a.ts': ['gallery/photos/b.ts'], 'gallery/photos/b.ts': [] }).join(),
    /stands above/,
  );
  assert.deepEqual(faults({ 'gallery/photos/b.ts': ['platform/db/a.ts'], 'platform/db/a.ts': [] }), []);
});

test('a circle is named: of files, of folders, and of a file with itself', () => {
  const [a, b, c] = [
    'gallery/photos/list/a.ts',
    'gallery/photos/list/b.ts',
    'gallery/photos/edit/c.ts',
  ] as const;
  assert.match(faults({ [a]: [b], [b]: [a] }).join(), /a circle/);
  assert.match(faults({ [a]: [a] }).join(), /a circle/);
  // No file is in a circle, but their folders are.
  assert.match(faults({ [a]: [c], [c]: [b], [b]: [] }).join(), /a circle: gallery.photos/);
  assert.deepEqual(faults({ [a]: [b, c], [b]: [c], [c]: [] }), []);
});

test('a file outside of all rooms is named', () => {
  assert.match(faults({ 'gallery/misc/a.ts': [] }).join(), /no room/);
});
