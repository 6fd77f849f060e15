/** A proxy between a client and servers that cuts connections while the client sends. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  url: string;
  /** Number of connections that the proxy has cut. */
  readonly cuts: number;
  close(): Promise<void>;
}

export interface CuttingProxyOptions {
  /** Returns the URL for the next connection. May wait for a server that is not running yet. */
  target(): Promise<string>;
  /**
   * Returns the number of bytes after which the next connection is cut. Undefined: the proxy cuts nothing.
   */
  bytesOf(): number | undefined;
  /** Called after a connection was cut, before its client and its server notice. */
  onCut(cuts: number): Promise<void>;
}

export async function startCuttingProxy({
  target,
  bytesOf,
  onCut,
}: CuttingProxyOptions): Promise<CuttingProxy> {
  let cuts = 0;
  const open = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, async (client) => {
    trackSocket(open, client);
    const { hostname, port } = new URL(await target());
    const upstream = connect({ host: hostname, port: Number(port) });
    trackSocket(open, upstream);
    let left = bytesOf() ?? Number.POSITIVE_INFINITY;
    upstream.pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.once('close', () => other.destroy());
    }
    client.on('data', (bytes: Buffer) => {
      if (left <= 0) return;
      left -= bytes.length;
      if (!upstream.write(bytes)) {
        client.pause();
        upstream.once('drain', () => client.resume());
      }
      if (left > 0) return;
      cuts++;
      client.pause();
      void onCut(cuts).then(() => {
        upstream.destroy();
        client.destroy();
      });
    });
    client.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function trackSocket(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  // Ignores socket errors, because cut connections are the purpose of this proxy.
  socket.on('error', () => {});
  socket.once('close', () => open.delete(socket));
}
