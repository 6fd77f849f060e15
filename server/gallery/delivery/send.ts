/** Writes the headers of responses with the bytes of an object, and sends responses from memory. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addVary } from '../../platform/http/vary.ts';
import type { CleanPart } from '../../platform/imaging/clean/clean.ts';
import type { ByteRange } from '../../platform/storage/storage.ts';
import type { ImageAccessReason } from './access.ts';
import { chooseByteRange, isNotModified } from './ranges.ts';

/** Object that the viewer can see, with the values of the response headers. */
export interface ObjectToSend {
  name: string;
  etag: string;
  /** Media type from the row of the image, never from the client's upload. */
  mime: string;
  cacheControl: string;
  /** Names of request headers on which the response depends. */
  vary?: string;
  /** Content-Disposition header. Without the header, browsers display the image. */
  disposition?: string;
  /** Parts of the clean copy. If set, the response contains the clean copy instead of the object. */
  parts?: CleanPart[];
  /** Access that allows a redirect to the object store, or undefined if this server must send the bytes. */
  redirectable?: ImageAccessReason;
}

/** Checks again which object the viewer can see. Throws an error if the viewer has no access. */
export type RecheckAccess = () => Promise<ObjectToSend>;

/**
 * Headers that stop an image, opened as a page of its own, from running scripts or loading anything. Browsers need
 * the inline style for their image viewer.
 */
const safeHeaders = {
  'accept-ranges': 'bytes',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
};

export function sendObjectBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  object: ObjectToSend,
): FastifyReply {
  const range = chooseByteRange(request, reply, { size: bytes.length, etag: object.etag });
  writeObjectHeaders(reply, object, bytes.length, range);
  return reply.send(range ? bytes.subarray(range.start, range.end) : bytes);
}

/**
 * Sends 304 if the client already has the bytes, before the storage is read. Returns whether the response was sent.
 */
export function sendIfNotModified(
  request: FastifyRequest,
  reply: FastifyReply,
  object: ObjectToSend,
): boolean {
  if (!isNotModified(request, object.etag)) return false;
  reply.code(304).header('etag', object.etag).header('cache-control', object.cacheControl);
  addVary(reply, object.vary);
  reply.send();
  return true;
}

export function writeObjectHeaders(
  reply: FastifyReply,
  object: ObjectToSend,
  size: number,
  range: ByteRange | undefined,
): void {
  reply.headers(safeHeaders).headers({
    'content-type': object.mime,
    etag: object.etag,
    'cache-control': object.cacheControl,
    'content-length': range ? range.end - range.start : size,
  });
  addVary(reply, object.vary);
  if (object.disposition) reply.header('content-disposition', object.disposition);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${size}`);
}
