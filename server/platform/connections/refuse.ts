/** Answers that are given on a connection itself, past Fastify: in the envelope all the same. */
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { catalogue, type ErrorEntry } from '../errors/catalogue.ts';

/** Time to read the answer. A client that does not close its side would otherwise keep the connection. */
const closeMs = 2000;

/** Requests that Node's parser refuses never become requests. */
export function refuseUnreadable(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuseSlowBody(socket);
  else if (error.code === 'HPE_HEADER_OVERFLOW')
    answerAndClose(socket, catalogue.headersTooLarge, 'Request Header Fields Too Large');
  else
    answerAndClose(socket, { ...catalogue.invalid, message: 'The request could not be read' }, 'Bad Request');
}

/** Of a request that no answer has begun for. */
export function refuseSlowBody(socket: Socket): void {
  answerAndClose(socket, catalogue.requestTimeout, 'Request Timeout');
}

export function refuseConnection(socket: Socket): void {
  answerAndClose(
    socket,
    { ...catalogue.tooManyRequests, message: 'Too many connections from this address' },
    'Too Many Requests',
    'Retry-After: 5\r\n',
  );
}

/** There is no tunnel through this server. Node gives the connection away without a listener for errors. */
export function refuseConnect(socket: Socket): void {
  socket.on('error', () => {});
  answerAndClose(socket, catalogue.methodNotAllowed, 'Method Not Allowed', 'Allow: GET, HEAD\r\n');
}

function answerAndClose(
  socket: Socket,
  { code, status, message }: ErrorEntry,
  reason: string,
  headers = '',
): void {
  const body = JSON.stringify({ code, message });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n${headers}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  const timer = setTimeout(() => socket.destroy(), closeMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
