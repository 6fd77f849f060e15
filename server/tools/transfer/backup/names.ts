/** The names of all objects, kept in a file while the archive is written: millions of them fit no memory. */
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { ObjectGroup } from '../objects.ts';

export interface NameList {
  groups: number;
  read(): AsyncIterable<ObjectGroup>;
  remove(): Promise<void>;
}

export async function keepNames(file: string, groups: AsyncIterable<ObjectGroup>): Promise<NameList> {
  let count = 0;
  await pipeline(
    async function* () {
      for await (const group of groups) {
        count++;
        yield `${JSON.stringify(group)}\n`;
      }
    },
    createWriteStream(file, { mode: 0o600 }),
  );
  return {
    groups: count,
    async *read() {
      for await (const line of createInterface({ input: createReadStream(file) })) {
        yield JSON.parse(line) as ObjectGroup;
      }
    },
    remove: () => rm(file, { force: true }),
  };
}
