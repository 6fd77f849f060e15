/**
 * One connection. Its requests are handled one after the other: Node emits every pipelined request at once, and each
 * would open files and fill buffers long before its answer can be sent. Browsers and proxies do not pipeline.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that wait behind the one that is being answered; a client that sends more is cut off. */
const maxWaiting = 8;

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Bytes counted since a moment, in milliseconds of `performance.now()`. */
export interface Progress {
  since: number;
  bytes: number;
}

export interface Connection {
  socket: Socket;
  /** What is being answered. */
  current: Exchange | undefined;
  waiting: Exchange[];
  /** A request that was answered before all of its body had arrived: the rest is read and dropped. */
  unread: { request: IncomingMessage; since: number; bytes: number; last: Progress } | undefined;
  /** The last answer was given: further requests are ignored. */
  isEnding: boolean;
  reading: Progress | undefined;
  sending: Progress | undefined;
}

export type RequestQueue = ReturnType<typeof createRequestQueue>;

export function createRequestQueue(socket: Socket, handle: RequestListener) {
  const connection: Connection = {
    socket,
    current: undefined,
    waiting: [],
    unread: undefined,
    isEnding: false,
    reading: undefined,
    sending: undefined,
  };

  function begin({ request, response }: Exchange): void {
    connection.current = { request, response };
    // Also when the connection closes before the answer is complete.
    response.on('close', goOn);
    handle(request, response);
  }

  function goOn(): void {
    const { request } = connection.current!;
    connection.current = undefined;
    if (socket.destroyed) return;
    if (!request.complete) dropRest(connection, request);
    if (isLast(request)) {
      connection.isEnding = true;
      socket.end();
    }
    const next = connection.isEnding ? undefined : connection.waiting.shift();
    if (next) begin(next);
  }

  return {
    connection,
    /** Whether an answer is owed or under way. */
    isBusy: () => Boolean(connection.current) || connection.waiting.length > 0 || connection.isEnding,
    /** Handles the request, now or when those before it are answered. */
    accept(exchange: Exchange): void {
      if (socket.destroyed || connection.isEnding) return;
      const { current, waiting } = connection;
      if (!current) begin(exchange);
      else if (waiting.length < maxWaiting) waiting.push(exchange);
      else socket.destroy();
    },
  };
}

/**
 * Node destroys the socket right after an answer with `Connection: close`. If bytes of the request are still unread, the
 * system resets the connection, the client loses the rest of the answer, and nginx answers 502. An answer that leaves
 * before the request's body has arrived therefore does not say `close`: the queue ends our side after it.
 */
export function answerEarly(request: IncomingMessage, response: ServerResponse): void {
  const { headers } = request;
  const hasBody = 'content-length' in headers || 'transfer-encoding' in headers;
  if (hasBody && !request.complete) response.setHeader('Connection', 'keep-alive');
}

/** Reads and drops the rest of the body until all of it has arrived, or slow-clients.ts ends the connection. */
function dropRest(connection: Connection, request: IncomingMessage): void {
  const now = performance.now();
  const bytes = connection.socket.bytesRead;
  connection.unread = { request, since: now, bytes, last: { since: now, bytes } };
  request.unpipe();
  request.resume();
}

/** Whether the client wants the connection to end after the answer. */
function isLast({ headers, httpVersion }: IncomingMessage): boolean {
  const options = (headers.connection ?? '').split(',').map((option) => option.trim().toLowerCase());
  return httpVersion === '1.0' ? !options.includes('keep-alive') : options.includes('close');
}
