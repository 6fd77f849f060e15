/**
 * A server with limited connections and its clients. A test can use the server's and the client's side of
 * each connection.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import {
  type ConnectionBounds,
  computeConnectionBounds,
} from '../../../server/platform/connections/bounds.ts';
import { type BoundedServer, createBoundedServer } from '../../../server/platform/connections/server.ts';

export const megabyte = 1024 * 1024;

type Handle = (request: IncomingMessage, response: ServerResponse, server: BoundedServer) => void;

export async function startServer(context: TestContext, handle: Handle, own: Partial<ConnectionBounds> = {}) {
  const server = createBoundedServer((request, response) => handle(request, response, server), {
    http: {},
    bounds: { ...computeConnectionBounds(1, megabyte, 1024 ** 3), ...own },
    isProxy: () => false,
  });
  /** The server's sockets, in the order in which the clients connected. */
  const sides: Socket[] = [];
  server.on('connection', (socket) => sides.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients: Socket[] = [];
  context.after(() => {
    for (const socket of clients) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  /** Connects the clients one after the other, so that clients and server sockets have the same order. */
  async function join(many: number): Promise<Socket[]> {
    for (let n = 0; n < many; n++) {
      const arrived = once(server, 'connection');
      clients.push(connect(port, '127.0.0.1').on('error', () => {}));
      await arrived;
    }
    return clients;
  }
  return { sides, join };
}

export function get(path = '/', connection = 'keep-alive'): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`;
}

export const given = (side: Socket) => side.bytesWritten > 0;
