/** Attackers' connections, opened by the hundred from separate IP addresses. */
import { connect, type Socket } from 'node:net';

export interface Sockets {
  /** Opens a connection that sends the bytes and reads nothing. */
  open(address: string, bytes?: string | Buffer): Socket;
  /** Returns how many of the attackers' connections are still open. */
  kept(): number;
  /** Returns how many connections have been opened in total. */
  opened(): number;
  destroyAll(): void;
}

export function createSockets(host: string, port: number): Sockets {
  const all = new Set<Socket>();
  let opened = 0;
  return {
    open(address, bytes = '') {
      // The server may reset some connections, as it should.
      const socket = connect({ host, port, localAddress: address }).on('error', () => {});
      socket.on('close', () => all.delete(socket)).pause();
      if (bytes.length > 0) socket.write(bytes);
      all.add(socket);
      opened++;
      return socket;
    },
    kept: () => all.size,
    opened: () => opened,
    destroyAll() {
      for (const socket of all) socket.destroy();
    },
  };
}
