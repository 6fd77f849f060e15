/** Attacks by clients on a healthy server. Each attack continues until its signal is aborted. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../test/support/random.ts';
import { encodeMetadata, tusHeader } from '../../test/support/uploads.ts';
import type { Sockets } from './sockets.ts';

export interface Target {
  sockets: Sockets;
  random: Random;
  token: string;
  /** Path of an original of many megabytes, which the token's owner may read. */
  large: string;
  picture: Buffer;
}

export interface Attack {
  name: string;
  /** Number of connections that the server must have held at once; with fewer, the attack proves nothing. */
  holds?: number;
  run(target: Target, signal: AbortSignal): Promise<void>;
}

const attacker = '127.0.1.1';
const edge = 'edge';
const idleConnections = 5000;
const idleAtOnce = 250;

export const attacks: Attack[] = [
  { name: 'uploads that vanish', run: vanish },
  { name: 'resumable uploads that vanish', run: vanishInPieces },
  {
    name: 'bodies of one byte a second',
    holds: 400,
    run: (target, signal) => drip(target, signal, createUploadRequest(target)),
  },
  {
    name: 'headers of one byte a second',
    holds: 400,
    run: (target, signal) => drip(target, signal, 'GET /api/photos HTTP/1.1\r\nX-'),
  },
  {
    name: 'a thousand lists pipelined on each of 20',
    run: (target, signal) => flood(target, signal, 20, get(target, '/api/photos?limit=100').repeat(1000)),
  },
  {
    name: 'a thousand originals pipelined on each of 20',
    run: (target, signal) => flood(target, signal, 20, get(target, target.large).repeat(1000)),
  },
  {
    name: '400 readers of an original that never read',
    holds: 400,
    run: (target, signal) => flood(target, signal, 400, get(target, target.large)),
  },
  { name: '5,000 idle connections', holds: idleConnections, run: idle },
];

/** Disconnects after a part of the body, a thousand times, like phones in a tunnel. */
async function vanish(target: Target, signal: AbortSignal): Promise<void> {
  const body = createUploadRequest(target);
  while (!signal.aborted) {
    const cut = target.random.below(body.length);
    const socket = target.sockets.open(attacker, body.slice(0, cut));
    await pause(target.random.below(30));
    socket.destroy();
  }
}

async function vanishInPieces(target: Target, signal: AbortSignal): Promise<void> {
  const length = 3_000_000;
  while (!signal.aborted) {
    const created = request(target, 'POST', '/api/uploads', {
      ...tusHeader,
      'Upload-Length': length,
      'Upload-Metadata': encodeMetadata({ filename: 'a.jpg' }),
      'Content-Type': 'application/offset+octet-stream',
      'Content-Length': length,
    });
    const socket = target.sockets.open(attacker, created);
    socket.write(Buffer.alloc(target.random.below(500_000), 1));
    await pause(target.random.below(60));
    socket.destroy();
  }
}

/** Opens 400 connections that send one byte a second. Connections that the server closes are opened again. */
async function drip(target: Target, signal: AbortSignal, begin: string): Promise<void> {
  const open = () => Array.from({ length: 400 }, () => target.sockets.open(attacker, begin));
  let sockets = open();
  while (!signal.aborted) {
    await rest(1000, signal);
    sockets = sockets.filter((socket) => !socket.destroyed);
    for (const socket of sockets) socket.write('a');
    if (sockets.length < 100) sockets = [...sockets, ...open()];
  }
}

/** Sends requests and never reads the responses. Connections that the server closes are opened again. */
async function flood(target: Target, signal: AbortSignal, count: number, bytes: string): Promise<void> {
  while (!signal.aborted) {
    for (let n = target.sockets.kept(); n < count; n++) target.sockets.open(attacker, bytes);
    await rest(1000, signal);
  }
}

/**
 * Opens connections from twelve IP addresses, because one IP address may have 500. The connections open
 * gradually: the system drops those beyond its accept queue, which the server would have accepted.
 */
async function idle(target: Target, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { kept, open } = target.sockets;
    for (let n = 0; n < idleAtOnce && kept() < idleConnections; n++) open(`127.0.1.${1 + (kept() % 12)}`);
    await rest(kept() < idleConnections ? 50 : 1000, signal);
  }
}

function createUploadRequest(target: Target): string {
  const part = `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n`;
  const head = request(target, 'POST', '/api/photos/upload', {
    'Content-Type': `multipart/form-data; boundary=${edge}`,
    'Content-Length': 2_000_000,
  });
  return head + part + target.picture.toString('latin1');
}

function get(target: Target, path: string): string {
  return request(target, 'GET', path, {});
}

function request(
  { token }: Target,
  method: string,
  path: string,
  headers: Record<string, string | number>,
): string {
  const all = { Host: 'localhost', Authorization: `Bearer ${token}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await Promise.race([pause(milliseconds), once(signal, 'abort')]);
}
