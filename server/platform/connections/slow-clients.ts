/**
 * Closes connections of clients that neither read the response nor send the request body. One check per second covers
 * all connections, so requests pay nothing. A timeout per chunk would accept one byte per minute.
 */
import { getIpAddressKey } from './address.ts';
import type { ConnectionBounds } from './bounds.ts';
import type { ClientConnection } from './connection.ts';
import { refuseSlowBody } from './refuse.ts';

declare module 'node:http' {
  interface ServerResponse {
    /**
     * Minimum reading speed for this response in bytes per second. The default is `minReadRate` of the connection
     * limits.
     */
    minReadRate?: number;
  }
}

export function closeIfTooSlow(connection: ClientConnection, bounds: ConnectionBounds, now: number): void {
  if (isReaderTooSlow(connection, bounds, now)) connection.socket.destroy();
  else if (isBodyTooSlow(connection, bounds, now)) {
    connection.isEnding = true;
    refuseSlowBody(connection.socket);
  } else if (isRestTooLong(connection, bounds, now)) connection.socket.destroy();
}

function isReaderTooSlow(connection: ClientConnection, bounds: ConnectionBounds, now: number): boolean {
  const { socket, current } = connection;
  const waiting = socket.writableLength;
  if (waiting === 0) {
    connection.reading = undefined;
    return false;
  }
  const taken = socket.bytesWritten - waiting;
  connection.reading ??= { since: now, bytes: taken };
  const { since, bytes } = connection.reading;
  const rate = current?.response.minReadRate ?? bounds.minReadRate;
  // The socket counts a write as sent only when all of its bytes are, so a large response gets more time.
  if (now - since < Math.max(bounds.readWindowMs, (waiting / rate) * 1000)) return false;
  connection.reading = { since: now, bytes: taken };
  return taken - bytes < rate * ((now - since) / 1000);
}

function isBodyTooSlow(connection: ClientConnection, bounds: ConnectionBounds, now: number): boolean {
  const { socket, current } = connection;
  // If received bytes wait unprocessed, the server is slow and not the client.
  const isWaitedFor = current && !current.request.complete && current.request.readableLength === 0;
  if (!isWaitedFor || current.response.headersSent) {
    connection.sending = undefined;
    return false;
  }
  const received = socket.bytesRead;
  connection.sending ??= { since: now, bytes: received };
  const { since, bytes } = connection.sending;
  if (now - since < bounds.bodyWindowMs) return false;
  connection.sending = { since: now, bytes: received };
  return received - bytes < bounds.minBodyRate * ((now - since) / 1000);
}

function isRestTooLong(connection: ClientConnection, bounds: ConnectionBounds, now: number): boolean {
  const { socket, unread, isEnding } = connection;
  if (!unread) return false;
  if (unread.request.complete) {
    connection.unread = undefined;
    return isEnding;
  }
  const received = socket.bytesRead;
  if (received > unread.last.bytes) unread.last = { since: now, bytes: received };
  return (
    now - unread.last.since > bounds.unreadIdleMs ||
    now - unread.since > bounds.unreadMs ||
    received - unread.bytes > bounds.unreadBytes
  );
}

export function endUnreadConnections(connections: Iterable<ClientConnection>, maxBytes: number): void {
  const unread = [...connections].filter(({ socket }) => socket.writableLength > 0);
  let left = sumUnreadBytes(unread);
  if (left <= maxBytes) return;
  const byAddress = Map.groupBy(unread, ({ socket }) => getIpAddressKey(socket.remoteAddress ?? ''));
  const addresses = [...byAddress.values()].map((own) => ({
    bytes: sumUnreadBytes(own),
    sockets: own.map(({ socket }) => socket).sort((one, other) => one.writableLength - other.writableLength),
  }));
  while (left > maxBytes) {
    const worst = addresses.reduce((one, other) => (other.bytes > one.bytes ? other : one));
    const socket = worst.sockets.pop()!;
    worst.bytes -= socket.writableLength;
    left -= socket.writableLength;
    socket.destroy();
  }
}

function sumUnreadBytes(connections: ClientConnection[]): number {
  return connections.reduce((sum, { socket }) => sum + socket.writableLength, 0);
}
