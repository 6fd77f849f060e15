/**
 * An answer that was given leaves whole, also at a stop. Node takes a connection for idle as soon as the end of its answer
 * was written, wherever those bytes are by then, and ends it at once: a client that reads slowly lost the end of a large
 * file, and an archive lost what its last turn had made.
 */
import type { Server } from 'node:http';
import { Socket } from 'node:net';

const { destroy, destroySoon } = Socket.prototype;

/** What it returns is called with each connection of the server. */
export function endIdleWhole(server: Server): (socket: Socket) => void {
  const { closeIdleConnections } = server;
  let isEndingIdle = false;
  server.closeIdleConnections = () => {
    isEndingIdle = true;
    try {
      closeIdleConnections.call(server);
    } finally {
      isEndingIdle = false;
    }
  };
  return (socket) => {
    socket.destroy = (error) => {
      if (!isEndingIdle || socket.writableLength === 0) return destroy.call(socket, error);
      // A stop asks again and again.
      if (!socket.writableEnded) destroySoon.call(socket);
      return socket;
    };
  };
}
