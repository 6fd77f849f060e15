/** Node's HTTP server with limits on the connections of one client. */
import { once } from 'node:events';
import type { RequestListener, Server, ServerOptions } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { getIpAddressKey } from './address.ts';
import type { ConnectionBounds } from './bounds.ts';
import { createRequestQueue, type RequestQueue } from './connection.ts';
import { findRequestFault, refuseRequest } from './faults.ts';
import { refuseConnection, refuseConnectMethod, refuseUnreadable } from './refuse.ts';
import { closeIfTooSlow, endUnreadConnections } from './slow-clients.ts';

/** Milliseconds between two checks for idle connections while the server stops. */
const idleCheckMs = 100;

// An `import` would evaluate all exports, e.g. `WebSocket`, which need 4 MB and are never used.
const { createServer } = process.getBuiltinModule('node:http');

export interface BoundedServerOptions {
  http: ServerOptions;
  bounds: ConnectionBounds;
  /** Whether the IP address belongs to a trusted proxy, which opens connections for many clients. */
  isProxy(address: string): boolean;
}

export interface BoundedServer extends Server {
  /**
   * Stops listening and closes idle connections. Resolves when the remaining connections have closed after their
   * responses.
   */
  drain(): Promise<void>;
}

export function createBoundedServer(
  handle: RequestListener,
  { http, bounds, isProxy }: BoundedServerOptions,
): BoundedServer {
  const connections = new Map<Socket, RequestQueue>();
  const counts = new Map<string, number>();
  const accept: RequestListener = (request, response) => {
    connections.get(request.socket)?.accept({ request, response });
  };
  const handleValid: RequestListener = (request, response) => {
    const fault = findRequestFault(request);
    if (fault) refuseRequest(response, fault);
    else handle(request, response);
  };
  // Node's own refusal of a request without a Host header has no body.
  const server = createServer({ ...http, requireHostHeader: false }, accept);
  // Without this listener, Node answers 417 without a body.
  server.on('checkExpectation', accept);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else connections.get(socket)?.refuse(() => refuseUnreadable(error, socket));
  });
  server.on('connect', ({ socket }) => {
    const queue = connections.get(socket);
    if (queue && !queue.isBusy()) refuseConnectMethod(socket);
    else socket.destroy();
  });
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    const queue = createRequestQueue(socket, handleValid);
    connections.set(socket, queue);
    const key = address === '' || isProxy(address) ? undefined : getIpAddressKey(address);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    socket.once('close', () => {
      connections.delete(socket);
      if (key !== undefined) countDown(counts, key);
    });
    if (key === undefined || counts.get(key)! <= bounds.maxPerAddress) return;
    if (connections.size <= bounds.crowdedAt) return;
    // Refused clients hold a connection for a short time too, so their number is limited as well.
    if (counts.get(key)! > bounds.crowdedAt + 2 * bounds.maxPerAddress) socket.destroy();
    else {
      queue.connection.isEnding = true;
      refuseConnection(socket);
    }
  });
  const timer = setInterval(checkClients, bounds.checkMs, connections, bounds).unref();
  server.once('close', () => clearInterval(timer));

  async function drain(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    // The `close` method of the HTTP server would close idle connections immediately.
    NetServer.prototype.close.call(server);
    endIdle();
    const timer = setInterval(endIdle, idleCheckMs).unref();
    await closed;
    clearInterval(timer);
  }

  /**
   * Closes idle connections, unless a response is still being sent. Node counts a connection as idle when its response
   * is written, and a slow client would lose the unread rest.
   */
  function endIdle(): void {
    const isLeaving = connections
      .values()
      .some(({ connection }) => connection.current?.response.writableEnded);
    if (!isLeaving) server.closeIdleConnections();
  }

  return Object.assign(server, { drain });
}

function checkClients(connections: Map<Socket, RequestQueue>, bounds: ConnectionBounds): void {
  const now = performance.now();
  const all = [...connections.values()].map(({ connection }) => connection);
  for (const connection of all) closeIfTooSlow(connection, bounds, now);
  endUnreadConnections(all, bounds.maxUnreadBytes);
}

function countDown(counts: Map<string, number>, key: string): void {
  const left = counts.get(key)! - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}
