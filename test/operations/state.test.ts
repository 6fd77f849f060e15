/** No module keeps mutable state, and the check finds every form of module state. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findModuleState, stateFaults } from '../../scripts/state.ts';

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
  for (const text of states) assert.deepEqual(findModuleState(text), ['one'], text);
  const constants = [
    'const one = new Map([[1, 2]]);\n\nfunction read() {\n  return one.get(1) === 2;\n}',
    'const one = 1;\n\nfunction read() {\n  let two = one;\n  two++;\n}',
    'const one = createSchemaCheck(Type.Object({}));',
    'export function createQueue() {\n  const one = new Map();\n  one.set(1, 2);\n}',
  ];
  for (const text of constants) assert.deepEqual(findModuleState(text), [], text);
});
