/** Clients that misbehave: they pipeline, never read, read by drops, or send by drops. */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Deps } from '../../../server/deps.ts';
import { type ConnectionBounds, connectionBounds } from '../../../server/platform/connections/bounds.ts';
import { countDescriptors } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { createRequestHead, openSocket } from '../../support/raw.ts';

/** More than the system's buffers of a connection on one machine hold. */
const originalBytes = 12_000_000;

export interface LargeGallery {
  gallery: Gallery;
  owner: Person;
  /** Of a large original, for its owner. */
  path: string;
  file: Buffer;
}

/** A gallery whose slow clients need not be waited for. */
export async function startLarge(
  bounds: Partial<ConnectionBounds> = {},
  config: Partial<Deps['config']> = {},
): Promise<LargeGallery> {
  const usual = connectionBounds(1, 50 * 1024 * 1024, 1024 ** 3);
  const gallery = await startGallery(config, {
    shared: { connections: { ...usual, checkMs: 100, ...bounds } },
  });
  const owner = await register(gallery, 'owner');
  // What follows the picture belongs to the original, and nothing of it needs decoding.
  const file = Buffer.concat([await createJpeg(), randomBytes(originalBytes)]);
  const { path } = await addPhoto(owner, {}, file);
  return { gallery, owner, path, file };
}

export interface Caller {
  /** As a proxy tells it. */
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

/** Sends the requests and reads nothing. */
export function sendAndSleep(gallery: Gallery, path: string, count: number, caller: Caller): Socket {
  const socket = openSocket(gallery).pause();
  socket.write(createRequestHead('GET', path, createHeaders(caller)).repeat(count));
  return socket;
}

/** All that arrives until the server closes. */
export async function readAnswers(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const { promise, resolve } = Promise.withResolvers<void>();
  // Not `once`, which an error would make fail: a reset ends the connection as well.
  socket.on('close', () => resolve());
  if (!socket.closed) await promise;
  return Buffer.concat(chunks).toString('latin1');
}

/** Descriptors of this process, in which the gallery runs. */
export async function openFiles(): Promise<number> {
  return (await countDescriptors())!;
}

/** How many connections the server has. */
export function countConnections({ server }: Gallery): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  return promise;
}

/** Sends a byte every `ms` until the connection is closed. */
export function sendSlowly(socket: Socket, ms: number): void {
  const timer = setInterval(() => socket.write('x'), ms);
  socket.once('close', () => clearInterval(timer));
}
