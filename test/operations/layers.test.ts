/** Imports go one way, no module keeps state, and the checks of `scripts/` find a fault of each kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Imports, layerFaults, readImports } from '../../scripts/layers.ts';
import { stateFaults, statesOf } from '../../scripts/state.ts';

const faults = (imports: Record<string, string[]>) =>
  layerFaults(new Map(Object.entries(imports)) as Imports);

test('no file in server/ imports a higher layer, or in a circle', () => {
  const imports = readImports();
  assert.ok(imports.size > 400 && [...imports.values()].flat().length > 1000);
  assert.deepEqual(layerFaults(imports), []);
});

test('an arrow upwards is named, whichever way it is written', () => {
  assert.match(
    faults({ 'platform/db/a.ts': ['gallery/photos/b.ts'], 'gallery/photos/b.ts': [] }).join(),
    /platform.db.a\.ts imports gallery/,
  );
  assert.match(
    faults({ 'gallery/comments/a.ts': ['gallery/photos/b.ts'], 'gallery/photos/b.ts': [] }).join(),
    /higher layer/,
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

test('a file outside of all layers is named', () => {
  assert.match(faults({ 'gallery/misc/a.ts': [] }).join(), /no layer/);
});

test('no module of server/ keeps state, but for those that say why', () => {
  assert.deepEqual(stateFaults(), []);
});

test('state of a module is named, however it is written', () => {
  const states = [
    'let one: Worker | undefined;',
    'export let one = 0;',
    'const one = new PQueue({ concurrency: 1 });',
    'export const one = createFairQueue({ maxRunning: 2 });',
    'const one = new LRUCache<string, string>({ max: 8 });',
    'const one = new WeakMap<Response, number>();',
    'const one = new Map<string, string>();\n\nfunction keep() {\n  one.set(1, 2);\n}',
    'const one: string[] = [];\n\nfunction keep() {\n  one.push(1);\n}',
    'const one: Record<string, number> = {};\n\nfunction keep(key) {\n  one[key] = 1;\n}',
    'const one = { count: 0 };\n\nfunction keep() {\n  one.count += 1;\n}',
    'const one = { count: 0 };\n\nfunction keep() {\n  one.count++;\n}',
  ];
  for (const text of states) assert.deepEqual(statesOf(text), ['one'], text);
  const constants = [
    'const one = new Map([[1, 2]]);\n\nfunction read() {\n  return one.get(1) === 2;\n}',
    'const one = 1;\n\nfunction read() {\n  let two = one;\n  two++;\n}',
    'const one = createCheck(Type.Object({}));',
    'export function createQueue() {\n  const one = new Map();\n  one.set(1, 2);\n}',
  ];
  for (const text of constants) assert.deepEqual(statesOf(text), [], text);
});
