/** Streams objects that are too large for memory. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requestCaller } from '../../platform/connections/address.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { countCleanCopyBytes } from '../../platform/imaging/clean/clean.ts';
import { AbandonedJobError } from '../../platform/imaging/errors.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { selectCleanPartsInRange, streamCleanParts } from './clean-copy.ts';
import { chooseByteRange } from './ranges.ts';
import { redirectToStorage } from './redirect.ts';
import { type ObjectToSend, type RecheckAccess, sendIfNotModified, writeObjectHeaders } from './send.ts';

/**
 * Sends an object after waiting for a slot, which may take half a minute. Checks access after the wait, and once
 * more if the clock shows another second after the object was opened. `admit` is called when the storage delivers
 * bytes, but not for HEAD or a 304. A disconnect of the client releases the slot and the open file. Throws busy or
 * tooManyRequests if too many requests wait.
 */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Pick<Deps, 'storage' | 'clock'>,
  decide: RecheckAccess,
  admit?: () => Promise<void>,
): Promise<FastifyReply> {
  const disconnected = createDisconnectSignal(reply);
  const releaseSlot = await request.server.shared.streams.acquire(
    requestCaller(undefined, request),
    disconnected,
  );
  let body: Readable | undefined;
  try {
    const decided = deps.clock();
    const object = await decide();
    if (sendIfNotModified(request, reply, object)) return reply;
    const elsewhere = redirectToStorage(request, reply, deps, object);
    if (elsewhere) return elsewhere;
    const opened = await openObjectToStream(request, reply, deps.storage, object);
    body = opened.body;
    if (body) {
      // The object's stream may fail before anything listens to its errors.
      body.on('error', () => {});
      if (deps.clock() !== decided) await decide();
      disconnected.throwIfAborted();
      await admit?.();
      if (body.destroyed) throw body.errored ?? new Error('the storage closed the object during a response');
    }
    writeObjectHeaders(reply, object, opened.size, opened.range);
    // For HEAD without a payload, Fastify would replace the length of GET by 0.
    return reply.send(body ?? Readable.from([]));
  } catch (error) {
    body?.destroy();
    throw error;
  } finally {
    if (body && !body.closed) body.once('close', releaseSlot);
    else releaseSlot();
  }
}

/** Returns a signal that is aborted when the client disconnects. */
function createDisconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const abort = () => gone.abort(new AbandonedJobError());
  if (raw.destroyed) abort();
  else raw.once('close', abort);
  return gone.signal;
}

/**
 * Opens an object for the response. `size` is the length of the whole object, and HEAD has no body. Throws
 * photoNotFound or rangeNotSatisfiable.
 */
async function openObjectToStream(
  request: FastifyRequest,
  reply: FastifyReply,
  storage: Storage,
  { name, parts, etag }: ObjectToSend,
) {
  const isHead = request.method === 'HEAD';
  // Do not check whether the object of a clean copy exists: opening it shows that.
  const stored = parts && !isHead ? undefined : await storage.stat(name);
  if (!stored && (isHead || !parts)) throw errors.photoNotFound();
  const size = parts ? countCleanCopyBytes(parts) : stored!.size;
  const range = chooseByteRange(request, reply, { size, etag });
  if (isHead) return { body: undefined, size, range };
  const body = parts
    ? await streamCleanParts(storage, name, selectCleanPartsInRange(parts, range ?? { start: 0, end: size }))
    : await storage.open(name, range);
  if (!body) throw errors.photoNotFound();
  return { body, size, range };
}
