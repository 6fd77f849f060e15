/** Clients that misbehave: they pipeline, never read, or read and send only a few bytes at a time. */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Deps } from '../../../server/deps.ts';
import {
  type ConnectionBounds,
  computeConnectionBounds,
} from '../../../server/platform/connections/bounds.ts';
import { countDescriptors } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createRequestHead, openSocket } from '../../support/raw.ts';

/** Bytes of a file that is larger than the system's socket buffers for one connection. */
const originalBytes = 12_000_000;

export interface LargeGallery {
  gallery: Gallery;
  owner: Person;
  /** Path of a large original, readable by its owner. */
  path: string;
  file: Buffer;
}

/** Starts a gallery with short time limits for slow clients, so that tests need not wait long. */
export async function startLarge(
  bounds: Partial<ConnectionBounds> = {},
  config: Partial<Deps['config']> = {},
): Promise<LargeGallery> {
  const usual = computeConnectionBounds(1, 50 * 1024 * 1024, 1024 ** 3);
  const gallery = await startGallery(config, {
    shared: { connections: { ...usual, checkMs: 100, ...bounds } },
  });
  const owner = await register(gallery, 'owner');
  // Random bytes after the picture's end make the original large without work for the decoder.
  const file = Buffer.concat([await createJpeg(), randomBytes(originalBytes)]);
  const { path } = await addPhoto(owner, {}, file);
  return { gallery, owner, path, file };
}

export interface Caller {
  /** IP address of the client in the header that a proxy sets. */
  from?: string;
  token?: string | undefined;
}

export function createHeaders({ from, token }: Caller): Record<string, string> {
  return {
    Connection: 'keep-alive',
    ...(from && { 'X-Forwarded-For': from }),
    ...(token && { Authorization: `Bearer ${token}` }),
  };
}

/** Sends the requests and does not read the responses. */
export function sendAndSleep(gallery: Gallery, path: string, count: number, caller: Caller): Socket {
  const socket = openSocket(gallery).pause();
  socket.write(createRequestHead('GET', path, createHeaders(caller)).repeat(count));
  return socket;
}

/** Reads all data until the server closes the connection. */
export async function readAnswers(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const { promise, resolve } = Promise.withResolvers<void>();
  // Listens for 'close' directly, because `once()` rejects on an error, and a reset also closes the
  // connection.
  socket.on('close', () => resolve());
  if (!socket.closed) await promise;
  return Buffer.concat(chunks).toString('latin1');
}

/** Returns the number of open file descriptors of this process, in which the gallery runs. */
export async function openFiles(): Promise<number> {
  return (await countDescriptors())!;
}

/** Returns the number of open connections of the server. */
export function countConnections({ server }: Gallery): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  return promise;
}

/** Sends one byte every `ms` milliseconds until the connection closes. */
export function sendSlowly(socket: Socket, ms: number): void {
  const timer = setInterval(() => socket.write('x'), ms);
  socket.once('close', () => clearInterval(timer));
}
