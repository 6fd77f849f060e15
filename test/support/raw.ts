/** Raw HTTP requests, byte for byte, which no client library would send. */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { GalleryUrl } from './people.ts';

export interface RawAnswer {
  /** The status of the response, or 0 if the connection closed without a response. */
  status: number;
  headers: Map<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  text: string;
  ms: number;
}

export interface RawExchangeOptions {
  /** If true, closes the client's side of the connection after the last byte, like a crashed client. */
  hangUp?: boolean;
  timeoutMs?: number;
}

export function openSocket({ url }: GalleryUrl): Socket {
  const { hostname, port } = new URL(url);
  // Ignores socket errors: a server that refuses may close the connection while the client is still sending.
  return connect({ host: hostname, port: Number(port) }).on('error', () => {});
}

/** Sends the bytes and reads the first final response. Rejects after the time limit. */
export async function exchangeRaw(
  place: GalleryUrl,
  bytes: string | Buffer | readonly (string | Buffer)[],
  { hangUp = false, timeoutMs = 60_000 }: RawExchangeOptions = {},
): Promise<RawAnswer> {
  const start = performance.now();
  const socket = openSocket(place);
  let received = Buffer.alloc(0);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const timer = setTimeout(() => reject(new Error('no response in time')), timeoutMs);
  const finishExchange = () => resolve({ ...parseAnswer(received), ms: performance.now() - start });
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (isComplete(received)) finishExchange();
  });
  socket.on('close', finishExchange);
  try {
    for (const chunk of typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : bytes) {
      if (!socket.write(chunk) && !socket.destroyed) await waitForDrain(socket);
      if (socket.destroyed) break;
    }
    if (hangUp) socket.end();
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** Returns the head of a request, including the empty line at its end. */
export function createRequestHead(
  method: string,
  path: string,
  headers: Record<string, string | number>,
): string {
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/**
 * Resolves when the socket has drained or closed, and after two seconds at the latest. A socket whose other
 * side stops reading neither drains nor closes.
 */
async function waitForDrain(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('drain', resolve).once('close', resolve);
  await Promise.race([promise, pause(2000)]);
}

function isComplete(received: Buffer): boolean {
  const { status, headers, body } = splitHead(removeContinue(received));
  if (status === 0) return false;
  const length = headers.get('content-length');
  if (length !== undefined) return body.length >= Number(length);
  return status === 204 || status === 304;
}

function parseAnswer(received: Buffer) {
  const { status, headers, body } = splitHead(removeContinue(received));
  const text = (headers.get('transfer-encoding') === 'chunked' ? joinChunks(body) : body).toString();
  const isJson =
    headers.get('content-type')?.startsWith('application/json') && !headers.has('content-encoding');
  return { status, headers, text, body: isJson && text ? JSON.parse(text) : {} };
}

/** Joins the chunks of a chunked body, which proxies send. */
function joinChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const start = body.indexOf('\r\n', at) + 2;
    const length = Number.parseInt(body.toString('latin1', at, start), 16);
    if (!(length > 0) || start < 2) return Buffer.concat(chunks);
    chunks.push(body.subarray(start, start + length));
    at = start + length + 2;
  }
}

function removeContinue(received: Buffer): Buffer {
  const interim = /^HTTP\/1\.1 1\d\d .*?\r\n\r\n/s.exec(received.toString('latin1'))?.[0];
  return interim ? received.subarray(interim.length) : received;
}

function splitHead(received: Buffer) {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return { status: 0, headers: new Map<string, string>(), body: Buffer.alloc(0) };
  const [first, ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  return { status: Number(first!.split(' ')[1]), headers, body: received.subarray(end + 4) };
}
