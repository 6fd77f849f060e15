/** Stores objects in the bucket: either all of them, verified, or none. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { finished } from 'node:stream/promises';
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import PQueue from 'p-queue';
import { StorageUnavailable } from '../../errors/storage.ts';
import { checkObjectName } from '../keys.ts';
import type { ObjectToPut, Storage } from '../storage.ts';
import { computeTransferTimeout, createS3CallBounds, type S3Store, s3PartBytes } from './client.ts';
import { toS3Error, translateS3Errors } from './errors.ts';
import { checksumMetadataName, type OpenObject } from './read.ts';

/** Maximum bytes of a file that is sent from memory in one repeatable request. Larger files are sent in parts. */
const maxAtOnce = 16 * 1024 * 1024;
/**
 * Maximum files being sent, each with up to `maxAtOnce` bytes or three parts in memory, and maximum files that wait.
 */
const maxSending = 4;
const maxWaiting = 100;
const partsAtOnce = 2;
/** Milliseconds for cleaning up after a failure, so that the client does not wait long for an unreachable store. */
const cleaningMs = 3000;

export function createPutObjects(store: S3Store, open: OpenObject): Storage['put'] {
  const files = new PQueue({ concurrency: maxSending });

  /** Sends one object. Renditions are in memory and sent at once; files wait in a queue. */
  async function send(object: ObjectToPut): Promise<void> {
    const { source } = object;
    checkObjectName(object.name);
    if (Buffer.isBuffer(source)) return sendVerified(object);
    if (files.size >= maxWaiting)
      throw new StorageUnavailable(new Error('too many files are waiting to be sent'));
    const { size } = await stat(source.path);
    // The timeout is doubled, to leave time for files that are ahead in the queue.
    const signal = AbortSignal.timeout(2 * computeTransferTimeout(store.timeouts.call, size));
    await files.add(() => sendVerified(object), { signal });
  }

  async function sendVerified({ name, source, sha256 }: ObjectToPut): Promise<void> {
    const print = await computeFingerprint(source);
    if (sha256 !== undefined && sha256 !== print.sha256) {
      throw new Error('the temporary file no longer has the received bytes');
    }
    const etag = await sendBytes(store, name, source, print);
    if (etag !== undefined && print.etags.includes(etag.replaceAll('"', ''))) return;
    // Some stores compute ETags differently, e.g. with customer encryption keys. Then the object is read back and
    // verified.
    const found = await open(name, undefined, print.sha256);
    if (!found || found.size !== print.size) throw new Error('the store has other bytes than those sent');
    const signal = AbortSignal.timeout(computeTransferTimeout(store.timeouts.call, print.size));
    await finished(addAbortSignal(signal, found.body).resume());
  }

  return async (objects) => {
    const results = await Promise.allSettled(objects.map(send));
    await Promise.all(objects.map(({ source }) => (Buffer.isBuffer(source) ? undefined : source.discard())));
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) return;
    await removePutObjects(store, objects);
    throw toS3Error(failed.reason);
  };
}

/** Sends the bytes and returns the store's ETag. The request's signature covers the SHA-256 of its body. */
async function sendBytes(
  store: S3Store,
  name: string,
  source: ObjectToPut['source'],
  { size, sha256 }: Fingerprint,
): Promise<string | undefined> {
  const params = { ...store.at(name), Metadata: { [checksumMetadataName]: sha256 } };
  if (size > maxAtOnce) return sendParts(store, params, source, size);
  const Body = Buffer.isBuffer(source) ? source : await readFile(source.path);
  const { ETag } = await store.calls.send(
    new PutObjectCommand({ ...params, Body }),
    createS3CallBounds(store, size),
  );
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
    partSize: s3PartBytes,
    queueSize: partsAtOnce,
  });
  // Aborting also deletes the parts that were already sent. The maintenance run deletes the parts of a killed process.
  const timer = setTimeout(() => void upload.abort(), computeTransferTimeout(store.timeouts.call, size));
  try {
    return (await upload.done()).ETag;
  } finally {
    clearTimeout(timer);
    if (!Buffer.isBuffer(Body)) Body.destroy();
  }
}

/**
 * Deletes the objects after a failure, including those whose response was lost. An object that cannot be deleted now is
 * an orphan, and the maintenance run deletes it later.
 */
async function removePutObjects(store: S3Store, objects: ObjectToPut[]): Promise<void> {
  const signal = AbortSignal.timeout(cleaningMs);
  await Promise.allSettled(
    objects.map(({ name }) =>
      translateS3Errors(
        store.calls.send(new DeleteObjectCommand(store.at(name)), {
          ...createS3CallBounds(store),
          abortSignal: signal,
        }),
      ),
    ),
  );
}

type Fingerprint = Awaited<ReturnType<typeof computeFingerprint>>;

const chunkBytes = 256 * 1024;

/** Returns the size, the SHA-256 in hex, and possible ETags: the MD5, and the MD5 of the parts' MD5s. */
async function computeFingerprint(source: Buffer | { path: string }) {
  const [sha256, md5, parts] = [createHash('sha256'), createHash('md5'), createPartHash()];
  let size = 0;
  for await (const chunk of readChunks(source)) {
    size += chunk.length;
    sha256.update(chunk);
    md5.update(chunk);
    parts.update(chunk);
  }
  return { size, sha256: sha256.digest('hex'), etags: [md5.digest('hex'), parts.digest()] };
}

function readChunks(source: Buffer | { path: string }): AsyncIterable<Buffer> | Buffer[] {
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
        if (!part) [part, room] = [createHash('md5'), s3PartBytes];
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
