/** Imports follow the order of the layers, and the check finds each kind of violation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readImports, targetsIn } from '../../scripts/imports.ts';
import { emptyLayers, layerFaults } from '../../scripts/layers.ts';

const faults = (imports: Record<string, string[]>) => layerFaults(new Map(Object.entries(imports)));

test('no file imports a higher layer or in a circle, and each layer has files', () => {
  const imports = readImports();
  assert.ok(imports.size > 1400 && [...imports.values()].flat().length > 7000);
  assert.deepEqual(layerFaults(imports), []);
  assert.deepEqual(emptyLayers(imports), []);
});

test('an import of a higher layer is a fault in every folder', () => {
  const upward = [
    ['server/platform/db/a.ts', 'server/gallery/photos/b.ts'],
    ['server/gallery/comments/a.ts', 'server/gallery/photos/b.ts'],
    ['web/ui/a.tsx', 'web/auth/b.tsx'],
    ['web/selection/a.tsx', 'web/photos/wall/b.ts'],
    ['web/search/a.tsx', 'web/albums/page-a.tsx'],
    ['torture/load/a.ts', 'torture/kills/b.ts'],
    ['bench/seed.ts', 'bench/api.ts'],
    ['test/support/a.ts', 'test/tools/transfer/b.ts'],
  ] as const;
  for (const [file, target] of upward) {
    assert.deepEqual(faults({ [file]: [target], [target]: [] }), [
      `${file} imports ${target}, which is in a higher layer (scripts/layer-order.ts)`,
    ]);
    assert.deepEqual(faults({ [target]: [file], [file]: [] }), []);
  }
});

test('the server imports nothing of the web, the tests, torture, the bench or the scripts', () => {
  for (const target of [
    'web/ui/bytes.ts',
    'test/support/a.ts',
    'torture/log.ts',
    'bench/seed.ts',
    'scripts/a.ts',
  ]) {
    assert.match(faults({ 'server/app.ts': [target], [target]: [] }).join(), /higher layer/, target);
  }
  assert.match(faults({ 'torture/log.ts': ['bench/seed.ts'] }).join(), /higher layer/);
  assert.match(faults({ 'test/support/a.ts': ['torture/log.ts'] }).join(), /higher layer/);
});

test('a file or a pattern in the list goes before its folder', () => {
  const [layout, selection, wall] = [
    'web/photos/wall/layout.ts',
    'web/selection/a.tsx',
    'web/photos/wall/b.ts',
  ] as const;
  assert.deepEqual(faults({ [wall]: [selection], [selection]: [layout], [layout]: [] }), []);
  assert.match(faults({ [layout]: [selection], [selection]: [] }).join(), /higher layer/);
});

test('a circle is a fault: of files, of folders, and of a file with itself', () => {
  for (const folder of [
    'server/gallery/photos',
    'web/photos/wall',
    'torture/model',
    'bench/web',
    'scripts',
  ]) {
    const [a, b, c] = [`${folder}/list/a.ts`, `${folder}/list/b.ts`, `${folder}/edit/c.ts`] as const;
    assert.match(faults({ [a]: [b], [b]: [a] }).join(), /a circle: .*a\.ts → .*b\.ts → .*a\.ts/);
    assert.match(faults({ [a]: [a] }).join(), /a circle/);
    // The files form no cycle, but their two folders depend on each other.
    assert.match(faults({ [a]: [c], [c]: [b], [b]: [] }).join(), /a circle: .*list → .*edit → .*list$/);
    assert.deepEqual(faults({ [a]: [b, c], [b]: [c], [c]: [] }), []);
  }
});

test('a file in no layer is a fault', () => {
  for (const file of ['server/gallery/misc/a.ts', 'web/a.tsx', 'torture/misc/a.ts', 'bench/misc/a.ts'])
    assert.match(faults({ [file]: [] }).join(), /is in no layer/, file);
});

test('a layer without files is a fault', () => {
  const found = emptyLayers(new Map([['web/ui/a.tsx', []]]));
  assert.ok(found.some((line) => line.startsWith('web: no file is in the layer auth ')));
  assert.ok(!found.some((line) => line.startsWith('web: no file is in the layer ui ')));
});

test('an import counts whichever way it is written', () => {
  const written = [
    "import { App } from './app.tsx';",
    "import type { App } from './app.tsx';",
    "export { App } from './app.tsx';",
    "import './app.tsx';",
    "const load = () => import('./app.tsx');",
    "new Worker(new URL('./app.tsx', import.meta.url));",
  ];
  for (const text of written) assert.deepEqual(targetsIn(text, 'web/main.tsx'), ['web/app.tsx'], text);
  assert.deepEqual(targetsIn("import styles from './styles/base.css';", 'web/main.tsx'), [
    'web/styles/base.css',
  ]);
  assert.deepEqual(targetsIn("import { test } from 'node:test';", 'web/main.tsx'), []);
});
