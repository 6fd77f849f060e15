/** Small renditions in memory: a page of thumbnails costs no file system calls. Access is asked before, always. */
import { LRUCache } from 'lru-cache';
import type { Storage } from '../../platform/storage/storage.ts';

const maxBytes = 32 * 1024 * 1024;
const largestObject = 512 * 1024;
/** Previews of animations, mostly: what is found to be large is not read whole again. */
const maxLargeNames = 10_000;

export interface RenditionCache {
  /** At once, when it is there. */
  get(name: string): Buffer | undefined;
  /**
   * From the storage; requests at the same time share one read. Undefined when there is no such object. `large`
   * when it must be streamed: each client that reads slowly would hold all of it.
   */
  load(name: string): Promise<Buffer | 'large' | undefined>;
}

export function createRenditionCache(storage: Storage): RenditionCache {
  const cache = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    maxEntrySize: largestObject,
    sizeCalculation: (bytes) => bytes.length + 200,
    fetchMethod: (name) => storage.read(name),
    ignoreFetchAbort: true,
  });
  const large = new LRUCache<string, true>({ max: maxLargeNames });
  return {
    get: (name) => cache.get(name),
    async load(name) {
      if (large.has(name)) return 'large';
      const bytes = await cache.fetch(name);
      if (!bytes || bytes.length <= largestObject) return bytes;
      large.set(name, true);
      return 'large';
    },
  };
}
