/** Connections of attackers: opened by the hundred, from addresses of their own, and never in the way of each other. */
import { connect, type Socket } from 'node:net';

export interface Sockets {
  /** Sends the bytes and reads nothing. */
  open(address: string, bytes?: string | Buffer): Socket;
  /** How many the server still keeps. */
  kept(): number;
  /** How many were opened since the beginning. */
  opened(): number;
  destroyAll(): void;
}

export function createSockets(host: string, port: number): Sockets {
  const all = new Set<Socket>();
  let opened = 0;
  return {
    open(address, bytes = '') {
      // The server ends some of them: that is what it should do.
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
