/** Takes the bytes of an object in, stores them, and reads them back: what is not the same is not kept quiet. */
import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { inParallel } from '../../platform/concurrency/in-parallel.ts';
import { retry } from '../../platform/concurrency/retry.ts';
import { checksumOf, createMeter } from '../../platform/storage/checksum.ts';
import type { Storage, TemporaryFile } from '../../platform/storage/storage.ts';
import { MoveError } from './errors.ts';

export interface Received {
  name: string;
  source: Buffer | TemporaryFile;
  size: number;
  /** Of the bytes that came. */
  sha256: string;
}

/** Up to here an object is held in memory, beyond in a temporary file. */
export const smallBytes = 1024 * 1024;

/** Of those stored together. */
const readsAtOnce = 6;

/** `size`: the bytes that are expected. Throws when others come. */
export async function receive(
  storage: Storage,
  name: string,
  size: number,
  bytes: AsyncIterable<Buffer> | Buffer,
): Promise<Received> {
  const received = Buffer.isBuffer(bytes)
    ? inMemory(name, bytes)
    : size <= smallBytes
      ? inMemory(name, await whole(bytes, size))
      : await receiveLarge(storage, name, bytes);
  if (received.size === size) return received;
  if (!Buffer.isBuffer(received.source)) await received.source.discard();
  throw new Error(`${name} has ${received.size} bytes instead of ${size}`);
}

function inMemory(name: string, source: Buffer): Received {
  return { name, source, size: source.length, sha256: hash('sha256', source) };
}

/** All of them, in memory. Throws once there are more than `maxBytes`, whatever was said of their number. */
export async function whole(bytes: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw new MoveError(`more than ${maxBytes} bytes came where none so large belongs`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function receiveLarge(storage: Storage, name: string, bytes: AsyncIterable<Buffer>): Promise<Received> {
  const source = await storage.temporary();
  const meter = createMeter();
  try {
    await pipeline(meter.through(bytes), createWriteStream(source.path, { flags: 'r+' }));
  } catch (error) {
    await source.discard();
    throw error;
  }
  return { name, source, ...meter.sum() };
}

/** Stores them together, durably, and compares what the storage gives back. Throws when it differs. */
export async function storeVerified(storage: Storage, objects: Received[]): Promise<void> {
  if (objects.length === 0) return;
  await storage.put(objects.map(({ name, source }) => ({ name, source })));
  await inParallel(objects, readsAtOnce, async ({ name, size, sha256 }) => {
    if ((await sumOf(storage, name, size)) !== sha256) throw new Error(`${name} was stored with other bytes`);
  });
}

/** SHA-256 of a stored object, hex; undefined when there is none. `size`: its bytes, as far as is known. */
export async function sumOf(storage: Storage, name: string, size = Infinity): Promise<string | undefined> {
  // A small one is read at once: a stream's many buffers keep the garbage collector busy.
  if (size <= smallBytes) {
    const bytes = await storage.read(name);
    return bytes && hash('sha256', bytes);
  }
  const stream = await storage.open(name);
  return stream && checksumOf(stream);
}

/** Pauses before each further attempt: half a minute altogether. */
const pausesMs = [500, 2000, 7000, 20_000];

/** `work` must be able to run twice. Throws its last error. */
export function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  return retry(work, (error, failures) => (mayPass(error) ? pausesMs[failures - 1] : undefined));
}

/** What the storage drivers call busy, and what a network does. */
function mayPass(error: unknown): boolean {
  const { status, code } = error as { status?: number; code?: unknown };
  return status === 503 || (typeof code === 'string' && /^(ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN)/.test(code));
}
