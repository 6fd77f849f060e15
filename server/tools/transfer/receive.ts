/** Receives the bytes of an object, stores the object and reads it back to compare. */
import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { inParallel } from '../../platform/concurrency/in-parallel.ts';
import { retryWork } from '../../platform/concurrency/retry.ts';
import { computeChecksum, createChecksumMeter } from '../../platform/storage/checksum.ts';
import type { Storage, TemporaryFile } from '../../platform/storage/storage.ts';
import { TransferError } from './errors.ts';

export interface ReceivedObject {
  name: string;
  source: Buffer | TemporaryFile;
  size: number;
  /** SHA-256 of the received bytes, in hex. */
  sha256: string;
}

/** Maximum bytes of an object in memory. Larger objects use a temporary file. */
export const maxObjectBytesInMemory = 1024 * 1024;

/** Number of stored objects that are read back in parallel. */
const readsAtOnce = 6;

/** Receives the bytes of an object. Throws an error if their number is not `size`. */
export async function receiveObject(
  storage: Storage,
  name: string,
  size: number,
  bytes: AsyncIterable<Buffer> | Buffer,
): Promise<ReceivedObject> {
  const received = Buffer.isBuffer(bytes)
    ? inMemory(name, bytes)
    : size <= maxObjectBytesInMemory
      ? inMemory(name, await readWholeStream(bytes, size))
      : await receiveLarge(storage, name, bytes);
  if (received.size === size) return received;
  if (!Buffer.isBuffer(received.source)) await received.source.discard();
  throw new Error(`${name} has ${received.size} bytes instead of ${size}`);
}

function inMemory(name: string, source: Buffer): ReceivedObject {
  return { name, source, size: source.length, sha256: hash('sha256', source) };
}

/**
 * Reads a stream into memory. Throws TransferError as soon as more than `maxBytes` arrive, even if a smaller size was
 * announced.
 */
export async function readWholeStream(bytes: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw new TransferError(`${maxBytes} bytes is the limit here, but more arrived`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function receiveLarge(
  storage: Storage,
  name: string,
  bytes: AsyncIterable<Buffer>,
): Promise<ReceivedObject> {
  const source = await storage.temporary();
  const meter = createChecksumMeter();
  try {
    await pipeline(meter.through(bytes), createWriteStream(source.path, { flags: 'r+' }));
  } catch (error) {
    await source.discard();
    throw error;
  }
  return { name, source, ...meter.sum() };
}

/** Stores objects together and durably, and reads them back. Throws an error if the stored bytes differ. */
export async function storeAndVerifyObjects(storage: Storage, objects: ReceivedObject[]): Promise<void> {
  if (objects.length === 0) return;
  await storage.put(objects.map(({ name, source }) => ({ name, source })));
  await inParallel(objects, readsAtOnce, async ({ name, size, sha256 }) => {
    if ((await computeObjectChecksum(storage, name, size)) !== sha256)
      throw new Error(`${name} differs from the sent bytes after storing`);
  });
}

/**
 * Returns the SHA-256 of a stored object in hex, or undefined if the object does not exist. `size` is the expected
 * number of bytes, if known.
 */
export async function computeObjectChecksum(
  storage: Storage,
  name: string,
  size = Infinity,
): Promise<string | undefined> {
  // A small object is read as one buffer, because the many buffers of a stream burden the garbage collector.
  if (size <= maxObjectBytesInMemory) {
    const bytes = await storage.read(name);
    return bytes && hash('sha256', bytes);
  }
  const stream = await storage.open(name);
  return stream && computeChecksum(stream);
}

/** Milliseconds before each retry, half a minute in total. */
const pausesMs = [500, 2000, 7000, 20_000];

/** Runs `work` with retries after temporary errors, and throws its last error. `work` must be repeatable. */
export function runWithRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  return retryWork(work, (error, failures) => (isTransient(error) ? pausesMs[failures - 1] : undefined));
}

/** Returns true for temporary errors: a busy storage, or a network failure. */
function isTransient(error: unknown): boolean {
  const { status, code } = error as { status?: number; code?: unknown };
  return status === 503 || (typeof code === 'string' && /^(ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN)/.test(code));
}
