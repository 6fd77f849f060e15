/**
 * Lists endpoints whose own test file contains their rows of the rights table or their places of the privacy
 * walk.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function ownEndpoints(calls: 'testRights' | 'testPlaces'): string[] {
  const folder = join(import.meta.dirname, '../..');
  return globSync('**/*.test.ts', { cwd: folder })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .flatMap((text) => text.split(`${calls}([`).slice(1))
    .flatMap((rows) => [...rows.split('\n]);')[0]!.matchAll(/\bendpoint: '([^']+)'/g)])
    .map(([, endpoint]) => endpoint!);
}
