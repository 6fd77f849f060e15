/** Reads the imports between files of this repository. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { code } from './sources.ts';

/** Maps each file to the files of this repository that it imports. Paths begin at the root of the repository. */
export type Imports = Map<string, string[]>;

export function readImports(): Imports {
  const files = globSync(code).sort();
  return new Map(files.map((file) => [file, targetsIn(readFileSync(file, 'utf8'), file)]));
}

/** Returns the targets of static imports, dynamic imports and `new URL`, which loads a worker. */
export function targetsIn(text: string, file: string): string[] {
  const named = text.matchAll(/(?:\bfrom|\bimport|\bnew URL)\s*\(?\s*'(\.[^']+\.(?:tsx?|m?js|css))'/g);
  const targets = [...named].map(([, path]) => join(dirname(file), path!));
  return [...new Set(targets)].filter((target) => existsSync(target));
}
