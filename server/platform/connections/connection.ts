/**
 * One connection. Its requests are handled one after the other: Node emits every pipelined request at once, and each
 * would open files and fill buffers long before its answer can be sent. Browsers and proxies do not pipeline.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Turns } from './turns.ts';

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
  /** The first that waits begins in a later turn of the event loop. */
  isBeginning: boolean;
  /** A request that was answered before all of its body had arrived: the rest is read and dropped. */
  unread: { request: IncomingMessage; since: number; bytes: number; last: Progress } | undefined;
  /** The last answer was given: further requests are ignored. */
  isEnding: boolean;
  reading: Progress | undefined;
  sending: Progress | undefined;
}

export type RequestQueue = ReturnType<typeof createRequestQueue>;

/** `address`: whose turn it is. */
export function createRequestQueue(socket: Socket, handle: RequestListener, turns: Turns, address: string) {
  const connection: Connection = {
    socket,
    current: undefined,
    waiting: [],
    isBeginning: false,
    unread: undefined,
    isEnding: false,
    reading: undefined,
    sending: undefined,
  };

  function askToBegin(): void {
    connection.isBeginning = true;
    turns.enter(address, begin);
  }

  function begin(): void {
    connection.isBeginning = false;
    if (socket.destroyed || connection.isEnding) return;
    const exchange = connection.waiting.shift()!;
    const { request, response } = exchange;
    connection.current = exchange;
    const { headers } = request;
    if ('content-length' in headers || 'transfer-encoding' in headers) readOnBeforeClosing(connection);
    // Also when the connection closes before the answer is complete.
    response.on('close', goOn);
    handle(request, response);
  }

  function goOn(): void {
    const { request } = connection.current!;
    connection.current = undefined;
    if (socket.destroyed) return;
    if (!request.complete) dropRest(connection, request);
    if (connection.waiting.length > 0) askToBegin();
  }

  return {
    connection,
    /** Whether an answer is owed or under way. */
    isBusy: () => Boolean(connection.current) || connection.waiting.length > 0 || connection.isEnding,
    /** Handles the request, now or when those before it are answered. */
    accept(request: IncomingMessage, response: ServerResponse): void {
      if (socket.destroyed || connection.isEnding) return;
      const { current, waiting, isBeginning } = connection;
      if (waiting.length === (current ? maxWaiting : maxWaiting + 1)) return void socket.destroy();
      waiting.push({ request, response });
      if (!current && !isBeginning) askToBegin();
    },
  };
}

/** Until the client has sent all of it, or slow-clients.ts finds that it takes too long. */
function dropRest(connection: Connection, request: IncomingMessage): void {
  const now = performance.now();
  const bytes = connection.socket.bytesRead;
  connection.unread = { request, since: now, bytes, last: { since: now, bytes } };
  request.unpipe();
  request.resume();
}

/**
 * Node destroys the socket right after an answer with `Connection: close`. Where bytes of the request are still
 * unread, the system then resets the connection, and what the client or the proxy had not read of the answer is lost:
 * nginx makes a 502 of it. Instead only our side is closed, and the rest of the body read.
 */
function readOnBeforeClosing(connection: Connection): void {
  const { socket } = connection;
  if (Object.hasOwn(socket, 'destroySoon')) return;
  socket.destroySoon = () => {
    const request = connection.current?.request;
    if (!request || request.complete) return Socket.prototype.destroySoon.call(socket);
    connection.isEnding = true;
    socket.end();
  };
}
