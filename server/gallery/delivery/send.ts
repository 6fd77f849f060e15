/** Heads of answers with the bytes of an object, and the answers whose bytes are in memory. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addVary } from '../../platform/http/vary.ts';
import type { Part } from '../../platform/imaging/clean/clean.ts';
import type { ByteRange } from '../../platform/storage/storage.ts';
import type { Access } from './access.ts';
import { chooseRange, isNotModified } from './ranges.ts';

/** An object that the viewer may have, with the fields of the answer's head. */
export interface ObjectToSend {
  name: string;
  etag: string;
  /** From the images row, never from what the client said. */
  mime: string;
  cacheControl: string;
  /** Names of request headers that the answer depends on. */
  vary?: string;
  /** Content-Disposition; left out, browsers show the image. */
  disposition?: string;
  /** Sends the clean copy that these parts of the object make, instead of the object. */
  parts?: Part[];
  /** The right by which the store may send the object itself; undefined if the bytes must come from this server. */
  redirectable?: Access;
}

/** Decides anew what the viewer may have. Throws if the viewer has no access. */
export type Decide = () => Promise<ObjectToSend>;

/** An image opened by itself runs nothing and loads nothing; the inline style is the browsers' own. */
const inert = {
  'accept-ranges': 'bytes',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
};

export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  object: ObjectToSend,
): FastifyReply {
  const range = chooseRange(request, reply, { size: bytes.length, etag: object.etag });
  writeHead(reply, object, bytes.length, range);
  return reply.send(range ? bytes.subarray(range.start, range.end) : bytes);
}

/** Answers 304 where the client has the bytes already, before any storage is asked. Returns whether it did. */
export function sendNotModified(request: FastifyRequest, reply: FastifyReply, object: ObjectToSend): boolean {
  if (!isNotModified(request, object.etag)) return false;
  reply.code(304).header('etag', object.etag).header('cache-control', object.cacheControl);
  addVary(reply, object.vary);
  reply.send();
  return true;
}

export function writeHead(
  reply: FastifyReply,
  object: ObjectToSend,
  size: number,
  range: ByteRange | undefined,
): void {
  reply.headers(inert).headers({
    'content-type': object.mime,
    etag: object.etag,
    'cache-control': object.cacheControl,
    'content-length': range ? range.end - range.start : size,
  });
  addVary(reply, object.vary);
  if (object.disposition) reply.header('content-disposition', object.disposition);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${size}`);
}
