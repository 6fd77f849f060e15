/** Answers with the bytes of an object, or with a range of them. */
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { callerOf } from '../../platform/connections/address.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { addVary } from '../../platform/http/vary.ts';
import { cleanSize, type Part } from '../../platform/imaging/clean/clean.ts';
import { AbandonedError } from '../../platform/imaging/errors.ts';
import type { ByteRange, Storage, StoredObject } from '../../platform/storage/storage.ts';
import { partsWithin, readParts } from './clean-copy.ts';
import { chooseRange, isNotModified } from './ranges.ts';

/** What the answer says of the bytes. */
export interface ObjectHeaders {
  etag: string;
  /** From the images row, never from what the client said. */
  mime: string;
  cacheControl: string;
  /** Names of request headers that the answer depends on. */
  vary?: string;
  /** Content-Disposition; left out, browsers show the image. */
  disposition?: string;
}

export interface ObjectToSend extends ObjectHeaders {
  name: string;
  /** Sends the clean copy that these parts of the object make, instead of the object. */
  parts?: Part[];
}

/** An image opened by itself runs nothing and loads nothing; the inline style is the browsers' own. */
const inert = {
  'accept-ranges': 'bytes',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
};

/** Decides anew who may have what, for an answer that had to wait; throws where it is nothing any more. */
export type Again = () => Promise<ObjectToSend>;

interface SendOptions {
  again?: Again | undefined;
  /** Called when the storage gives the bytes that are about to be sent: not for HEAD, nor for a range that is none. */
  admit?: (() => Promise<void>) | undefined;
}

/**
 * Streams with backpressure; when the client goes away the stream is destroyed, and with it the descriptor. Waits for
 * a place among the files being sent before the storage is asked anything: 400 requests of one client at once are 400
 * calls of a store otherwise, for which everybody else waits; and of those that have a place only a few ask at a time,
 * and fill their connections. What was decided in another second is decided again when it begins: the wait may be a
 * minute, and the image another by then. It is always decided again once the storage gives the bytes, which takes it
 * seconds at times: what has become private is not sent. Throws tooManyRequests or busy after a wait in vain.
 */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Pick<Deps, 'storage' | 'clock'>,
  object: ObjectToSend,
  { again, admit }: SendOptions = {},
): Promise<FastifyReply> {
  const { streams, openings } = request.server.shared;
  const caller = callerOf(undefined, request);
  const gone = whenGone(reply);
  const decided = deps.clock();
  const leave = await streams.enter(caller, gone);
  try {
    const leaveOpening = await openings.enter(caller, gone);
    let body: Readable | undefined;
    try {
      const admitNow = async () => {
        gone.throwIfAborted();
        await again?.();
        await admit?.();
      };
      const isOld = again && deps.clock() !== decided;
      body = await answerWith(request, reply, deps.storage, isOld ? await again() : object, admitNow);
    } catch (error) {
      leaveOpening();
      throw error;
    }
    if (body) {
      body.once('close', leave);
      onceUnderWay(body, request.raw.socket, leaveOpening);
    } else {
      leaveOpening();
      leave();
    }
    return reply.send(body);
  } catch (error) {
    leave();
    throw error;
  }
}

/** Aborted when the client goes away: in a queue it takes no room of those who wait, and costs the storage nothing. */
export function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const abort = () => gone.abort(new AbandonedError());
  if (raw.destroyed) abort();
  else raw.once('close', abort);
  return gone.signal;
}

const lookEveryMs = 20;
const mostLooks = 25;

/**
 * Calls `then` when the client takes no more for now, all is sent, or half a second is over. Until then a file comes as
 * fast as the storage gives it: megabytes, before the system holds as much for a client as it will.
 */
function onceUnderWay(body: Readable, socket: Socket, then: () => void): void {
  let looks = 0;
  const end = () => {
    clearInterval(timer);
    body.off('close', end);
    then();
  };
  const timer = setInterval(() => {
    if (socket.writableLength > 0 || ++looks === mostLooks) end();
  }, lookEveryMs);
  body.once('close', end);
}

/** Sets the head of the answer. Returns what is to be sent, which is nothing for HEAD. */
async function answerWith(
  request: FastifyRequest,
  reply: FastifyReply,
  storage: Storage,
  object: ObjectToSend,
  admit: () => Promise<void>,
): Promise<Readable | undefined> {
  const isHead = request.method === 'HEAD';
  // That the object is there, the clean copy finds out when it is opened.
  const stored = object.parts && !isHead ? undefined : await getStored(storage, object.name);
  const size = object.parts ? cleanSize(object.parts) : stored!.size;
  const range = chooseRange(request, reply, { size, etag: object.etag });
  const body = isHead ? undefined : await openBody(storage, object, range, size);
  if (!isHead && !body) throw errors.photoNotFound();
  if (body) await admitted(body, admit);
  describe(reply, object, size, range);
  return body;
}

async function admitted(body: Readable, admit: () => Promise<void>): Promise<void> {
  // It may fail while nobody reads it.
  body.on('error', () => {});
  try {
    await admit();
    if (body.destroyed) throw body.errored ?? new Error('the storage closed what it was sending');
  } catch (error) {
    body.destroy();
    throw error;
  }
}

async function openBody(
  storage: Storage,
  { name, parts }: ObjectToSend,
  range: ByteRange | undefined,
  size: number,
): Promise<Readable | undefined> {
  if (!parts) return storage.open(name, range);
  return readParts(storage, name, partsWithin(parts, range ?? { start: 0, end: size }));
}

async function getStored(storage: Storage, name: string): Promise<StoredObject> {
  const stored = await storage.stat(name);
  if (!stored) throw errors.photoNotFound();
  return stored;
}

/** The same for an object that is in memory. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  headers: ObjectHeaders,
): FastifyReply {
  const range = chooseRange(request, reply, { size: bytes.length, etag: headers.etag });
  describe(reply, headers, bytes.length, range);
  return reply.send(range ? bytes.subarray(range.start, range.end) : bytes);
}

/** Answers 304 where the client has the bytes already, before any storage is asked; says whether it did. */
export function sendNotModified(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: ObjectHeaders,
): boolean {
  if (!isNotModified(request, headers.etag)) return false;
  reply.code(304).header('etag', headers.etag).header('cache-control', headers.cacheControl);
  addVary(reply, headers.vary);
  reply.send();
  return true;
}

function describe(
  reply: FastifyReply,
  headers: ObjectHeaders,
  size: number,
  range: ByteRange | undefined,
): void {
  reply.headers(inert).headers({
    'content-type': headers.mime,
    etag: headers.etag,
    'cache-control': headers.cacheControl,
    'content-length': range ? range.end - range.start : size,
  });
  addVary(reply, headers.vary);
  if (headers.disposition) reply.header('content-disposition', headers.disposition);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${size}`);
}
