/** Sends images that are small enough to be read into memory. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Deps } from '../../deps.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { type ObjectToSend, type RecheckAccess, sendObjectBytes } from './send.ts';
import { sendObject } from './stream.ts';

export interface RenditionToSend {
  renditions: RenditionCache;
  deps: Pick<Deps, 'storage' | 'clock'>;
  object: ObjectToSend;
  /**
   * Checks access to the object again. Called if reading the object took so long that the clock shows another
   * second.
   */
  decide: RecheckAccess;
  /** Called instead of `sendRendition`'s photoNotFound error if the object does not exist. */
  otherwise?: (() => Promise<FastifyReply>) | undefined;
}

export async function sendRendition(
  request: FastifyRequest,
  reply: FastifyReply,
  { renditions, deps, object, decide, otherwise }: RenditionToSend,
): Promise<FastifyReply> {
  const decided = deps.clock();
  const bytes = await renditions.load(object.name);
  if (!bytes && otherwise) return otherwise();
  if (!bytes) throw errors.photoNotFound();
  if (bytes === 'large') return sendObject(request, reply, deps, decide);
  return sendObjectBytes(request, reply, bytes, deps.clock() === decided ? object : await decide());
}

const maxBytes = 32 * 1024 * 1024;
const largestObject = 512 * 1024;
/**
 * Maximum number of names of large objects, mostly animated previews. The cache remembers these names to avoid
 * reading the objects whole again.
 */
const maxLargeNames = 10_000;

/**
 * Cache of small renditions in memory, so that a page of thumbnails needs no file access. The caller always checks
 * access first.
 */
export interface RenditionCache {
  /**
   * Returns an object from memory or the storage, or undefined if it does not exist. Parallel requests share one
   * read. Returns `large` for an object that must be streamed, because each slow client would otherwise hold all of
   * its bytes in memory.
   */
  load(name: string): Promise<Buffer | 'large' | undefined>;
  /** Caches a small rendition that was just stored, because a request for it follows. */
  add(name: string, bytes: Buffer): void;
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
    async load(name) {
      const known = cache.get(name);
      if (known) return known;
      if (large.has(name)) return 'large';
      const bytes = await cache.fetch(name);
      if (!bytes || bytes.length <= largestObject) return bytes;
      large.set(name, true);
      return 'large';
    },
    add(name, bytes) {
      if (bytes.length <= largestObject) cache.set(name, bytes);
    },
  };
}
