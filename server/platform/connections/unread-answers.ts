/**
 * Bounds the bytes of answers that clients have asked for and do not read. Each waits in memory until its client has
 * taken it, and hundreds of large ones are more than a small server has. The addresses that leave the most unread lose
 * connections, those with the most first.
 */
import { addressKey } from './address.ts';
import type { Connection } from './connection.ts';

export function endUnread(connections: Iterable<Connection>, maxBytes: number): void {
  const unread = [...connections].filter(({ socket }) => socket.writableLength > 0);
  let left = bytesOf(unread);
  if (left <= maxBytes) return;
  const byAddress = Map.groupBy(unread, ({ socket }) => addressKey(socket.remoteAddress ?? ''));
  const addresses = [...byAddress.values()].map((own) => ({
    bytes: bytesOf(own),
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

function bytesOf(connections: Connection[]): number {
  return connections.reduce((sum, { socket }) => sum + socket.writableLength, 0);
}
