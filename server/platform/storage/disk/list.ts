/** Walks all objects, one folder at a time: a million photos never lie in memory. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseObjectName } from '../keys.ts';

const batchSize = 1000;

/** Every folder that objects are spread over, by the first two digits of their key. */
export const shards = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));

export async function* listObjects(files: string): AsyncGenerator<string[]> {
  for (const shard of shards) {
    // Sorted, so that the objects of one key come together.
    const names = (await readdir(join(files, shard))).filter(isObjectOf(shard)).sort();
    for (let start = 0; start < names.length; start += batchSize) yield names.slice(start, start + batchSize);
  }
}

function isObjectOf(shard: string) {
  return (name: string) => name.startsWith(shard) && parseObjectName(name) !== undefined;
}
