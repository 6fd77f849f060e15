/** Stores objects: all of them verified to have arrived, or none. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { finished } from 'node:stream/promises';
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import PQueue from 'p-queue';
import { StorageUnavailable } from '../../errors/storage.ts';
import { checkedName } from '../keys.ts';
import type { ObjectToPut, Storage } from '../storage.ts';
import { bounds, partBytes, type S3Store, timeFor } from './client.ts';
import { reached, toS3Error } from './errors.ts';
import { checksumName, type OpenObject } from './read.ts';

/** Smaller files are sent from memory in one request, which can be repeated; larger ones in parts. */
const maxAtOnce = 16 * 1024 * 1024;
/** Files being sent, each with up to `maxAtOnce` or three parts in memory; and those that wait for it. */
const maxSending = 4;
const maxWaiting = 100;
const partsAtOnce = 2;
/** Cleaning up must not keep the client waiting for a store that is out of reach. */
const cleaningMs = 3000;

export function createPut(store: S3Store, open: OpenObject): Storage['put'] {
  const files = new PQueue({ concurrency: maxSending });

  /** Renditions are in memory already; files wait in a queue. */
  async function send(object: ObjectToPut): Promise<void> {
    const { source } = object;
    checkedName(object.name);
    if (Buffer.isBuffer(source)) return sendVerified(object);
    if (files.size >= maxWaiting) throw new StorageUnavailable(new Error('too many files wait to be sent'));
    const { size } = await stat(source.path);
    // As long again as sending it may take: for those before it.
    const signal = AbortSignal.timeout(2 * timeFor(store.timeouts.call, size));
    await files.add(() => sendVerified(object), { signal });
  }

  async function sendVerified({ name, source, sha256 }: ObjectToPut): Promise<void> {
    const print = await fingerprintOf(source);
    if (sha256 !== undefined && sha256 !== print.sha256) {
      throw new Error('the temporary file no longer has the bytes that were received');
    }
    const etag = await sendBytes(store, name, source, print);
    if (etag !== undefined && print.etags.includes(etag.replaceAll('"', ''))) return;
    // Some stores make their ETags otherwise (encryption with own keys): then only reading tells.
    const found = await open(name, undefined, print.sha256);
    if (!found || found.size !== print.size) throw new Error('the store does not have what it was sent');
    const signal = AbortSignal.timeout(timeFor(store.timeouts.call, print.size));
    await finished(addAbortSignal(signal, found.body).resume());
  }

  return async (objects) => {
    const results = await Promise.allSettled(objects.map(send));
    await Promise.all(objects.map(({ source }) => (Buffer.isBuffer(source) ? undefined : source.discard())));
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) return;
    await clean(store, objects);
    throw toS3Error(failed.reason);
  };
}

/** Returns the ETag that the store gave. The request's signature holds the SHA-256 of its body. */
async function sendBytes(
  store: S3Store,
  name: string,
  source: ObjectToPut['source'],
  { size, sha256 }: Fingerprint,
): Promise<string | undefined> {
  const params = { ...store.at(name), Metadata: { [checksumName]: sha256 } };
  if (size > maxAtOnce) return sendParts(store, params, source, size);
  const Body = Buffer.isBuffer(source) ? source : await readFile(source.path);
  const { ETag } = await store.calls.send(new PutObjectCommand({ ...params, Body }), bounds(store, size));
  return ETag;
}

async function sendParts(
  store: S3Store,
  params: { Bucket: string; Key: string; Metadata: Record<string, string> },
  source: ObjectToPut['source'],
  size: number,
): Promise<string | undefined> {
  const Body = Buffer.isBuffer(source) ? source : createReadStream(source.path);
  const upload = new Upload({
    client: store.calls,
    params: { ...params, Body },
    partSize: partBytes,
    queueSize: partsAtOnce,
  });
  // Also takes back the parts that are there already; what a killed process leaves, the sweep takes back.
  const timer = setTimeout(() => void upload.abort(), timeFor(store.timeouts.call, size));
  try {
    return (await upload.done()).ETag;
  } finally {
    clearTimeout(timer);
    if (!Buffer.isBuffer(Body)) Body.destroy();
  }
}

/** Also of those whose answer was lost. What cannot be removed now has no row, and the sweep finds it. */
async function clean(store: S3Store, objects: ObjectToPut[]): Promise<void> {
  const signal = AbortSignal.timeout(cleaningMs);
  await Promise.allSettled(
    objects.map(({ name }) =>
      reached(
        store.calls.send(new DeleteObjectCommand(store.at(name)), {
          ...bounds(store),
          abortSignal: signal,
        }),
      ),
    ),
  );
}

type Fingerprint = Awaited<ReturnType<typeof fingerprintOf>>;

const chunkBytes = 256 * 1024;

/** The SHA-256, hex; `etags`: what stores make theirs of, the MD5, or the MD5 of the MD5s of the parts. */
async function fingerprintOf(source: Buffer | { path: string }) {
  const [sha256, md5, parts] = [createHash('sha256'), createHash('md5'), createPartHash()];
  let size = 0;
  for await (const chunk of chunksOf(source)) {
    size += chunk.length;
    sha256.update(chunk);
    md5.update(chunk);
    parts.update(chunk);
  }
  return { size, sha256: sha256.digest('hex'), etags: [md5.digest('hex'), parts.digest()] };
}

function chunksOf(source: Buffer | { path: string }): AsyncIterable<Buffer> | Buffer[] {
  if (Buffer.isBuffer(source)) return [source];
  return createReadStream(source.path, { highWaterMark: chunkBytes });
}

function createPartHash() {
  const digests: Buffer[] = [];
  let part: Hash | undefined;
  let room = 0;

  function close(): void {
    if (part) digests.push(part.digest());
    part = undefined;
  }

  return {
    update(chunk: Buffer): void {
      for (let rest = chunk; rest.length > 0; ) {
        if (!part) [part, room] = [createHash('md5'), partBytes];
        const piece = rest.subarray(0, room);
        part.update(piece);
        room -= piece.length;
        rest = rest.subarray(piece.length);
        if (room === 0) close();
      }
    },
    digest(): string {
      close();
      return `${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-${digests.length}`;
    },
  };
}
