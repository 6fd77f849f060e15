/** Sends what is small enough to be read whole. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Deps } from '../../deps.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { type Decide, type ObjectToSend, sendBytes } from './send.ts';
import { sendObject } from './stream.ts';

export interface Rendition {
  renditions: RenditionCache;
  deps: Pick<Deps, 'storage' | 'clock'>;
  object: ObjectToSend;
  /** Decides again if the clock shows another second after the storage has returned the object. */
  decide: Decide;
  /** Called if the object does not exist; without it, `sendRendition` throws photoNotFound. */
  otherwise?: (() => Promise<FastifyReply>) | undefined;
}

export async function sendRendition(
  request: FastifyRequest,
  reply: FastifyReply,
  { renditions, deps, object, decide, otherwise }: Rendition,
): Promise<FastifyReply> {
  const decided = deps.clock();
  const bytes = await renditions.load(object.name);
  if (!bytes && otherwise) return otherwise();
  if (!bytes) throw errors.photoNotFound();
  if (bytes === 'large') return sendObject(request, reply, deps, decide);
  return sendBytes(request, reply, bytes, deps.clock() === decided ? object : await decide());
}

const maxBytes = 32 * 1024 * 1024;
const largestObject = 512 * 1024;
/** Previews of animations, mostly: what is found to be large is not read whole again. */
const maxLargeNames = 10_000;

/** Small renditions in memory: a page of thumbnails costs no file system calls. Access is asked before, always. */
export interface RenditionCache {
  /**
   * From memory or the storage; requests at the same time share one read. Undefined when there is no such object. `large`
   * when it must be streamed: each client that reads slowly would hold all of it.
   */
  load(name: string): Promise<Buffer | 'large' | undefined>;
  /** What was just stored, and is about to be asked for; nothing that is large. */
  keep(name: string, bytes: Buffer): void;
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
    keep(name, bytes) {
      if (bytes.length <= largestObject) cache.set(name, bytes);
    },
  };
}
