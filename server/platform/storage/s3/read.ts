/**
 * Reads objects from the bucket. Whole objects are verified with the SHA-256 in their metadata; ranges cannot be
 * verified.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { addAbortSignal, Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, HeadBucketCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { createConcurrencyGate } from '../../errors/gate.ts';
import { StorageUnavailable } from '../../errors/storage.ts';
import { checkObjectName } from '../keys.ts';
import type { ByteRange, Storage, TemporaryFile } from '../storage.ts';
import {
  computeTransferTimeout,
  createS3CallBounds,
  limitTimeUntilResponse,
  type S3Store,
} from './client.ts';
import { toS3Error, translateS3Errors, undefinedIfMissing } from './errors.ts';

/** Name of the metadata entry that holds an object's SHA-256 in hex. */
export const checksumMetadataName = 'sha256';

/** Maximum originals with a local temporary file at the same time, for edits. */
const maxLocal = 32;

export type OpenObject = (
  name: string,
  range?: ByteRange,
  /** Expected SHA-256 in hex, used in place of the metadata's. */
  sha256?: string,
) => Promise<{ body: Readable; size: number } | undefined>;

export function createOpenObject(store: S3Store): OpenObject {
  return async (name, range, sha256) => {
    if (range && range.end <= range.start) return { body: Readable.from([]), size: 0 };
    const input = { ...store.at(name), ...(range && { Range: `bytes=${range.start}-${range.end - 1}` }) };
    const got = await undefinedIfMissing(
      limitTimeUntilResponse(store, (options) => store.streams.send(new GetObjectCommand(input), options)),
    );
    if (!got) return undefined;
    const body = got.Body as Readable;
    if (range && got.ContentLength !== range.end - range.start) {
      // Bytes outside the requested ranges of a clean copy are private metadata and must not be sent.
      body.destroy();
      throw new StorageUnavailable(new Error('the store did not return the requested range'));
    }
    const size = got.ContentLength ?? 0;
    const expected = { size, sha256: range ? undefined : (sha256 ?? got.Metadata?.[checksumMetadataName]) };
    return { body: verifyBody(body, expected, store.timeouts.idle), size };
  };
}

export function createReadObject(store: S3Store, open: OpenObject): Storage['read'] {
  return (name) => consumeObject(store, open, name, (body) => buffer(body));
}

/** Returns the function that copies an object into a temporary file and returns its path. */
export function createOpenLocalFile(
  store: S3Store,
  open: OpenObject,
  newTemporary: () => Promise<TemporaryFile>,
): Storage['openLocalFile'] {
  const gate = createConcurrencyGate({
    max: maxLocal,
    refuse: () => new StorageUnavailable(new Error('too many objects are being read'), 5),
  });
  return async (name) => {
    const releaseSlot = gate.acquire();
    let file: TemporaryFile | undefined;
    const release = async () => {
      releaseSlot();
      await file?.discard();
    };
    try {
      const made = await newTemporary();
      file = made;
      const save = (body: Readable) => pipeline(body, createWriteStream(made.path)).then(() => true);
      if (await consumeObject(store, open, name, save)) return { path: made.path, release };
    } catch (error) {
      await release();
      throw error;
    }
    await release();
    return undefined;
  };
}

export function createStatObject(store: S3Store): Storage['stat'] {
  return async (name) => {
    const found = await undefinedIfMissing(
      store.calls.send(new HeadObjectCommand(store.at(checkObjectName(name))), createS3CallBounds(store)),
    );
    if (!found) {
      // The response to HEAD does not distinguish a missing bucket from a missing object.
      await translateS3Errors(
        store.calls.send(new HeadBucketCommand({ Bucket: store.location.bucket }), createS3CallBounds(store)),
      );
      return undefined;
    }
    const modified = Math.floor((found.LastModified?.getTime() ?? Date.now()) / 1000);
    return { name, size: found.ContentLength ?? 0, modified };
  };
}

/**
 * Reads an object and retries once if its body breaks off. The S3 client itself retries only until the response begins.
 */
async function consumeObject<Value>(
  store: S3Store,
  open: OpenObject,
  name: string,
  use: (body: Readable) => Promise<Value>,
): Promise<Value | undefined> {
  for (let attempt = 1; ; attempt++) {
    const found = await open(name);
    if (!found) return undefined;
    const signal = AbortSignal.timeout(computeTransferTimeout(store.timeouts.call, found.size));
    try {
      return await use(addAbortSignal(signal, found.body));
    } catch (error) {
      if (attempt === 2) throw toS3Error(error);
    }
  }
}

export interface ExpectedBytes {
  size: number;
  /** Expected SHA-256 of the object in hex. Undefined for a range, and for an object whose SHA-256 is unknown. */
  sha256: string | undefined;
}

/**
 * Passes the bytes on, but holds the last chunk back until size and SHA-256 are verified. A truncated or wrong body
 * therefore ends with an error. The stream also fails when no bytes arrive for `idleMs`.
 */
function verifyBody(body: Readable, { size, sha256 }: ExpectedBytes, idleMs: number): Readable {
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  let seen = 0;
  let held: Buffer | undefined;
  let lastAt = performance.now();

  const out = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      lastAt = performance.now();
      seen += chunk.length;
      if (seen > size) return next(brokenBodyError(`more than the ${size} bytes that the store announced`));
      hash?.update(chunk);
      const ready = held;
      held = chunk;
      next(null, ready);
    },
    flush(next) {
      if (seen !== size) next(brokenBodyError(`${seen} bytes arrived instead of ${size}`));
      else if (hash && hash.digest('hex') !== sha256)
        next(brokenBodyError('the bytes do not match their SHA-256'));
      else next(null, held);
    },
  });
  const timer = setInterval(() => {
    // Slow reading by the gallery's client is not an error of the store.
    if (out.writableNeedDrain) lastAt = performance.now();
    if (performance.now() - lastAt > idleMs) out.destroy(brokenBodyError('the store stopped sending'));
  }, idleMs / 4).unref();
  // The reader may not listen yet, and an error event without a listener would end the process.
  out.on('error', () => {});
  body.once('error', (error) => out.destroy(toS3Error(error) as Error));
  const end = () => clearInterval(timer);
  pipeline(body, out).then(end, end);
  return out;
}

function brokenBodyError(what: string): Error {
  return toS3Error(new Error(`Object in the store: ${what}`)) as Error;
}
