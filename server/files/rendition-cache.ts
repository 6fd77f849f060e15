/** Small renditions in memory: a page of thumbnails costs no file system calls. Access is asked before, always. */
import { LRUCache } from 'lru-cache';
import type { Storage } from '../storage/index.ts';

const mostBytes = 32 * 1024 * 1024;
const largestObject = 512 * 1024;

export interface RenditionCache {
  /** At once, when it is there. */
  get(name: string): Buffer | undefined;
  /** From the storage; those who ask at the same time share one read. Undefined when there is no such object. */
  load(name: string): Promise<Buffer | undefined>;
}

export function createRenditionCache(storage: Storage): RenditionCache {
  const cache = new LRUCache<string, Buffer>({
    maxSize: mostBytes,
    maxEntrySize: largestObject,
    sizeCalculation: (bytes) => bytes.length + 200,
    fetchMethod: (name) => storage.read(name),
    ignoreFetchAbort: true,
  });
  return {
    get: (name) => cache.get(name),
    load: (name) => cache.fetch(name),
  };
}
