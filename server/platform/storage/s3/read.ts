/** Reads objects. Whole ones are verified by the SHA-256 in their metadata; ranges cannot be verified. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { addAbortSignal, Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, HeadBucketCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { createGate } from '../../errors/gate.ts';
import { StorageUnavailable } from '../../errors/storage.ts';
import { checkedName } from '../keys.ts';
import type { ByteRange, Storage, TemporaryFile } from '../storage.ts';
import { bounds, type S3Store, timeFor, untilAnswered } from './client.ts';
import { reached, toS3Error, unlessMissing } from './errors.ts';

/** Name of the metadata that holds an object's SHA-256, hex. */
export const checksumName = 'sha256';

/** Originals that are edited at the same time, each a temporary file. */
const maxLocal = 32;

export type OpenObject = (
  name: string,
  range?: ByteRange,
  /** Instead of what the metadata says. */
  sha256?: string,
) => Promise<{ body: Readable; size: number } | undefined>;

export function createOpen(store: S3Store): OpenObject {
  return async (name, range, sha256) => {
    if (range && range.end <= range.start) return { body: Readable.from([]), size: 0 };
    const input = { ...store.at(name), ...(range && { Range: `bytes=${range.start}-${range.end - 1}` }) };
    const got = await unlessMissing(
      untilAnswered(store, (options) => store.streams.send(new GetObjectCommand(input), options)),
    );
    if (!got) return undefined;
    const body = got.Body as Readable;
    if (range && got.ContentLength !== range.end - range.start) {
      // What lies around the pieces of a clean copy is exactly what must not be sent.
      body.destroy();
      throw new StorageUnavailable(new Error('the store did not answer with the range that was asked for'));
    }
    const size = got.ContentLength ?? 0;
    const expected = { size, sha256: range ? undefined : (sha256 ?? got.Metadata?.[checksumName]) };
    return { body: watched(body, expected, store.timeouts.idle), size };
  };
}

export function createRead(store: S3Store, open: OpenObject): Storage['read'] {
  return (name) => consume(store, open, name, (body) => buffer(body));
}

export function createLocal(
  store: S3Store,
  open: OpenObject,
  newTemporary: () => Promise<TemporaryFile>,
): Storage['local'] {
  const gate = createGate({
    max: maxLocal,
    refuse: () => new StorageUnavailable(new Error('too many objects are being fetched'), 5),
  });
  return async (name) => {
    const leave = gate.enter();
    let file: TemporaryFile | undefined;
    const release = async () => {
      leave();
      await file?.discard();
    };
    try {
      const made = await newTemporary();
      file = made;
      const save = (body: Readable) => pipeline(body, createWriteStream(made.path)).then(() => true);
      if (await consume(store, open, name, save)) return { path: made.path, release };
    } catch (error) {
      await release();
      throw error;
    }
    await release();
    return undefined;
  };
}

export function createStat(store: S3Store): Storage['stat'] {
  return async (name) => {
    const found = await unlessMissing(
      store.calls.send(new HeadObjectCommand(store.at(checkedName(name))), bounds(store)),
    );
    if (!found) {
      // To HEAD a missing bucket answers like a missing object.
      await reached(store.calls.send(new HeadBucketCommand({ Bucket: store.place.bucket }), bounds(store)));
      return undefined;
    }
    const modified = Math.floor((found.LastModified?.getTime() ?? Date.now()) / 1000);
    return { name, size: found.ContentLength ?? 0, modified };
  };
}

/** A body that broke off is asked for once more: the client itself does so only until the answer begins. */
async function consume<Value>(
  store: S3Store,
  open: OpenObject,
  name: string,
  use: (body: Readable) => Promise<Value>,
): Promise<Value | undefined> {
  for (let attempt = 1; ; attempt++) {
    const found = await open(name);
    if (!found) return undefined;
    const signal = AbortSignal.timeout(timeFor(store.timeouts.call, found.size));
    try {
      return await use(addAbortSignal(signal, found.body));
    } catch (error) {
      if (attempt === 2) throw toS3Error(error);
    }
  }
}

export interface Expected {
  size: number;
  /** Hex; undefined where it is not known, or of a range, which has none. */
  sha256: string | undefined;
}

/**
 * The same bytes, the last of them held back until number and SHA-256 are verified: the reader of a body that is cut
 * off or wrong gets an error instead of its end. Also an error: nothing arrives for `idleMs`.
 */
function watched(body: Readable, { size, sha256 }: Expected, idleMs: number): Readable {
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  let seen = 0;
  let held: Buffer | undefined;
  let lastAt = performance.now();

  const out = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      lastAt = performance.now();
      seen += chunk.length;
      if (seen > size) return next(broken(`more than the ${size} bytes that were announced`));
      hash?.update(chunk);
      const ready = held;
      held = chunk;
      next(null, ready);
    },
    flush(next) {
      if (seen !== size) next(broken(`${seen} bytes arrived, ${size} were announced`));
      else if (hash && hash.digest('hex') !== sha256) next(broken('the bytes do not have their SHA-256'));
      else next(null, held);
    },
  });
  const timer = setInterval(() => {
    // A reader that takes its time is no fault of the store.
    if (out.writableNeedDrain) lastAt = performance.now();
    if (performance.now() - lastAt > idleMs) out.destroy(broken('no bytes arrive any more'));
  }, idleMs / 4).unref();
  // The reader may not listen yet while it waits for a client; an error without a listener would end the process.
  out.on('error', () => {});
  body.once('error', (error) => out.destroy(toS3Error(error) as Error));
  const end = () => clearInterval(timer);
  pipeline(body, out).then(end, end);
  return out;
}

function broken(what: string): Error {
  return toS3Error(new Error(`The object in the store: ${what}`)) as Error;
}
