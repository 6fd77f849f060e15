/** Stores objects durably: bytes, then names, then folders; all of them, or none. */
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { toStorageError } from '../../errors/storage.ts';
import { syncFile, syncFolder, writeDurably } from '../durable.ts';
import type { Storage, TemporaryFile } from '../storage.ts';

export function createPut(pathOf: (name: string) => string, newTemporary: () => string): Storage['put'] {
  return async (objects) => {
    const moves = objects.map(({ name, source }) => ({
      source,
      from: Buffer.isBuffer(source) ? newTemporary() : source.path,
      to: pathOf(name),
    }));
    const moved: string[] = [];
    const move = async ({ from, to }: { from: string; to: string }) => {
      await rename(from, to);
      moved.push(to);
    };
    try {
      await all(moves.map(({ source, from }) => stage(source, from)));
      await all(moves.map(move));
      // Which also makes the vanished temporary names harmless: at worst a crash brings one back, to be cleared.
      await all([...new Set(moves.map(({ to }) => dirname(to)))].map(syncFolder));
    } catch (error) {
      // An object that was there before, and was to be made again, stays unless it was replaced.
      const begun = [...moves.map(({ from }) => from), ...moved];
      await Promise.allSettled(begun.map((path) => rm(path, { force: true })));
      throw toStorageError(error);
    }
  };
}

function stage(source: Buffer | TemporaryFile, path: string): Promise<void> {
  return Buffer.isBuffer(source) ? writeDurably(path, source) : syncFile(path);
}

/** Unlike Promise.all it waits for every one before it throws, so that cleaning up races with none of them. */
async function all(work: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
