/** Writes error responses directly to a connection, without Fastify but in the same JSON format. */
import type { Socket } from 'node:net';
import { type ErrorEntry, errorCatalogue } from '../errors/catalogue.ts';

/** Milliseconds that a client gets to read the response before the connection is destroyed. */
const closeMs = 2000;

/** Answers a request that Node's parser rejected and that therefore never becomes a request object. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuseSlowBody(socket);
  else if (error.code === 'HPE_HEADER_OVERFLOW')
    answerAndClose(socket, errorCatalogue.headersTooLarge, 'Request Header Fields Too Large');
  else
    answerAndClose(socket, { ...errorCatalogue.invalid, message: 'The request is malformed' }, 'Bad Request');
}

/** Answers a request whose body arrives too slowly and whose response has not begun. */
export function refuseSlowBody(socket: Socket): void {
  answerAndClose(socket, errorCatalogue.requestTimeout, 'Request Timeout');
}

export function refuseConnection(socket: Socket): void {
  answerAndClose(
    socket,
    {
      ...errorCatalogue.tooManyRequests,
      message: 'Too many connections from this address. Close some of them.',
    },
    'Too Many Requests',
    'Retry-After: 5\r\n',
  );
}

/**
 * Refuses a CONNECT request, because this server provides no tunnels. Node hands over the socket without an error
 * listener.
 */
export function refuseConnectMethod(socket: Socket): void {
  socket.on('error', () => {});
  answerAndClose(socket, errorCatalogue.methodNotAllowed, 'Method Not Allowed', 'Allow: GET, HEAD\r\n');
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
