/**
 * Short bursts of GET requests over connections that stay open. Autocannon's runs last a second at least; two
 * servers on a busy machine are compared better by hundreds of bursts in turn.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Load {
  /** Sends so many requests, spread over the connections; resolves when all are answered. */
  burst(requests: number): Promise<void>;
  close(): void;
}

export async function openLoad(url: string, paths: string[], connections: number): Promise<Load> {
  const { hostname, port, host } = new URL(url);
  const requests = paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: image/*\r\n\r\n`),
  );
  const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  let next = 0;
  return {
    async burst(amount) {
      let left = amount;
      const nextRequest = () => (left-- > 0 ? requests[next++ % requests.length] : undefined);
      await Promise.all(sockets.map((socket) => exchange(socket, nextRequest)));
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** One request after the other; each answer is read to its end. Anything but a 200 is a mistake. */
function exchange(socket: Socket, nextRequest: () => Buffer | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let missing = 0;

  function send(): void {
    const request = nextRequest();
    if (request) socket.write(request);
    else {
      socket.off('data', receive);
      resolve();
    }
  }

  function receive(chunk: Buffer): void {
    if (missing === 0) missing = answerLength(chunk);
    missing -= chunk.length;
    if (missing === 0) send();
  }

  function answerLength(chunk: Buffer): number {
    const end = chunk.indexOf('\r\n\r\n') + 4;
    const head = chunk.toString('latin1', 0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head);
    if (!head.startsWith('HTTP/1.1 200') || !length) reject(new Error(`not what was asked for: ${head}`));
    return end + Number(length?.[1]);
  }

  socket.on('data', receive);
  send();
  return promise;
}
