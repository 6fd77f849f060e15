/** A TCP proxy between a server and a service that it uses. The proxy can lose, delay and cut data. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** `pass` forwards all data, `hold` forwards nothing more, `refuse` closes new connections at once. */
  mode: 'pass' | 'hold' | 'refuse';
  /**
   * Called with the client's data before the proxy forwards the data. `cut` closes both sides of the
   * connection after that.
   */
  onRequest: (bytes: Buffer, cut: () => void) => void;
  /** Closes all connections. */
  cutAll(): void;
  close(): Promise<void>;
}

export async function startProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<() => void>();
  const server = createServer({ allowHalfOpen: false }, (client) => {
    if (proxy.mode === 'refuse') return client.destroy();
    const target = connect(targetPort, '127.0.0.1');
    const cut = () => {
      pairs.delete(cut);
      client.destroy();
      target.destroy();
    };
    pairs.add(cut);
    forward(client, target, (bytes) => proxy.onRequest(bytes, () => setImmediate(cut)));
    forward(target, client, () => {});
    for (const socket of [client, target]) socket.on('close', cut).on('error', cut);
  });

  function forward(from: Socket, to: Socket, look: (bytes: Buffer) => void): void {
    from.on('data', (bytes: Buffer) => {
      if (proxy.mode === 'hold') return;
      look(bytes);
      to.write(bytes);
    });
  }

  const proxy: TcpProxy = {
    port: 0,
    mode: 'pass',
    onRequest: () => {},
    cutAll: () => {
      for (const cut of pairs) cut();
    },
    async close() {
      proxy.cutAll();
      server.close();
      await once(server, 'close');
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.port = (server.address() as AddressInfo).port;
  return proxy;
}
