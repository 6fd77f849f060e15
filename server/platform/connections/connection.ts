/**
 * Handles the requests of one connection one after the other. Node emits all pipelined requests at once, and each would
 * open files and fill buffers long before its response can be sent. Browsers and proxies do not pipeline.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Maximum requests that wait behind the current one. A client that sends more is disconnected. */
const maxWaiting = 8;

export interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Byte count at a point in time, in milliseconds of `performance.now()`. */
export interface ByteProgress {
  since: number;
  bytes: number;
}

export interface ClientConnection {
  socket: Socket;
  /** Request of this connection that is being answered. */
  current: HttpExchange | undefined;
  waiting: HttpExchange[];
  /** Request that was answered before its whole body arrived. The rest is read and dropped. */
  unread: { request: IncomingMessage; since: number; bytes: number; last: ByteProgress } | undefined;
  /** Sends the refusal of unreadable bytes, after the responses to all requests before them. */
  refusal: (() => void) | undefined;
  /** Whether the last response was sent. Further requests are ignored. */
  isEnding: boolean;
  reading: ByteProgress | undefined;
  sending: ByteProgress | undefined;
}

export type RequestQueue = ReturnType<typeof createRequestQueue>;

export function createRequestQueue(socket: Socket, handle: RequestListener) {
  const connection: ClientConnection = {
    socket,
    current: undefined,
    waiting: [],
    unread: undefined,
    refusal: undefined,
    isEnding: false,
    reading: undefined,
    sending: undefined,
  };

  function begin({ request, response }: HttpExchange): void {
    connection.current = { request, response };
    // The event also fires when the connection closes before the response is complete.
    response.on('close', startNext);
    handle(request, response);
  }

  function startNext(): void {
    const { request } = connection.current!;
    connection.current = undefined;
    if (socket.destroyed) return;
    if (!request.complete) discardRest(connection, request);
    if (wantsClose(request)) {
      connection.isEnding = true;
      socket.end();
    }
    if (connection.isEnding) return;
    const next = connection.waiting.shift();
    if (next) begin(next);
    else if (connection.refusal) endWith(connection.refusal);
  }

  function endWith(refusal: () => void): void {
    connection.isEnding = true;
    refusal();
  }

  return {
    connection,
    /** Whether a response is pending or being sent. */
    isBusy: () => Boolean(connection.current) || connection.waiting.length > 0 || connection.isEnding,
    /** Handles the request immediately, or after the requests that wait before it. */
    accept(exchange: HttpExchange): void {
      if (socket.destroyed || connection.isEnding || connection.refusal) return;
      const { current, waiting } = connection;
      if (!current) begin(exchange);
      else if (waiting.length < maxWaiting) waiting.push(exchange);
      else socket.destroy();
    },
    /**
     * Refuses bytes that the HTTP parser cannot read. `refusal` writes to the socket directly, so it runs after the
     * responses to all requests before these bytes. A request whose body is unreadable gets no other response.
     */
    refuse(refusal: () => void): void {
      if (connection.isEnding || connection.refusal) return;
      const { current, waiting, unread } = connection;
      if (waiting.at(-1)?.request.complete === false) waiting.pop();
      if (current?.request.complete) connection.refusal = refusal;
      else if (current?.response.headersSent || unread?.request.complete === false) socket.destroy();
      else endWith(refusal);
    },
  };
}

/**
 * Keeps the connection open for a response that is sent before the whole request body has arrived. Node destroys the
 * socket right after a response with `Connection: close`. If request bytes are still unread, the system resets the
 * connection. The client then loses the rest of the response, and nginx answers 502. The request queue closes our side
 * of the connection later instead. The header replaces the `close` that Fastify adds when it refuses a body.
 */
export function allowEarlyResponse({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { headers, complete } = raw;
  const hasBody = 'content-length' in headers || 'transfer-encoding' in headers;
  if (hasBody && !complete) reply.header('Connection', 'keep-alive');
}

/**
 * Reads and drops the rest of the body until all of it has arrived. `slow-clients.ts` ends the connection if that takes
 * too long.
 */
function discardRest(connection: ClientConnection, request: IncomingMessage): void {
  const now = performance.now();
  const bytes = connection.socket.bytesRead;
  connection.unread = { request, since: now, bytes, last: { since: now, bytes } };
  request.unpipe();
  request.resume();
}

/** Whether the client wants the connection to close after the response. */
function wantsClose({ headers, httpVersion }: IncomingMessage): boolean {
  const options = (headers.connection ?? '').split(',').map((option) => option.trim().toLowerCase());
  return httpVersion === '1.0' ? !options.includes('keep-alive') : options.includes('close');
}
