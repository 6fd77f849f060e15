/**
 * Short bursts of requests over connections that stay open. Autocannon's runs last a second at least; two servers on a
 * busy machine are compared better by many bursts in turn.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Load {
  /**
   * Sends so many requests, spread over the connections, one after the other on each. Resolves when all are answered,
   * with the milliseconds that each took.
   */
  burst(requests: number): Promise<number[]>;
  close(): void;
}

/** The n-th request of all, on the given connection. */
export type CreateRequest = (
  n: number,
  connection: number,
) => { path: string; token?: string; acceptEncoding?: string };

export async function openLoad(
  url: string,
  connections: number,
  createRequest: CreateRequest,
): Promise<Load> {
  const { hostname, port, host } = new URL(url);
  const buffer = Buffer.allocUnsafe(64 * 1024);
  const all = Array.from({ length: connections }, () => open(hostname, Number(port), buffer));
  await Promise.all(all.map(({ socket }) => once(socket, 'connect')));
  let next = 0;
  const createRequestHead = (connection: number) => {
    const { path, token, acceptEncoding } = createRequest(next++, connection);
    const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
    const encoding = acceptEncoding === undefined ? '' : `Accept-Encoding: ${acceptEncoding}\r\n`;
    return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}${encoding}\r\n`;
  };
  return {
    async burst(amount) {
      let left = amount;
      const times: number[] = [];
      await Promise.all(
        all.map((one, connection) =>
          exchange(one, times, () => (left-- > 0 ? createRequestHead(connection) : undefined)),
        ),
      );
      return times;
    },
    close: () => {
      for (const { socket } of all) socket.destroy();
    },
  };
}

interface Connection {
  socket: Socket;
  receive: (chunk: Buffer) => void;
}

/**
 * All answers are received in the same memory. When each had its own, twenty megabytes in a burst, this process's
 * collector ran in most bursts, in four threads, and the server's answers waited for it.
 */
function open(host: string, port: number, buffer: Buffer): Connection {
  const callback = (length: number) => {
    connection.receive(buffer.subarray(0, length));
    return true;
  };
  const socket = connect({ host, port, onread: { buffer, callback } });
  const connection: Connection = { socket, receive: () => {} };
  return connection;
}

/** One request after the other; each answer is read to its end. Anything but a 200 is a mistake. */
function exchange(
  connection: Connection,
  times: number[],
  nextRequest: () => string | undefined,
): Promise<void> {
  const { socket } = connection;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let missing = 0;
  let sent = 0;

  function end(): void {
    connection.receive = () => {};
    socket.off('close', refuse);
  }

  /** Without it, a burst over a connection that the server has ended would never be over. */
  function refuse(): void {
    end();
    reject(new Error('the server ended a connection'));
  }

  function send(): void {
    const request = nextRequest();
    if (request !== undefined) {
      sent = performance.now();
      socket.write(request);
    } else {
      end();
      resolve();
    }
  }

  function receive(chunk: Buffer): void {
    if (missing === 0) missing = answerLength(chunk);
    missing -= chunk.length;
    if (missing > 0) return;
    times.push(performance.now() - sent);
    send();
  }

  function answerLength(chunk: Buffer): number {
    const end = chunk.indexOf('\r\n\r\n') + 4;
    const head = chunk.toString('latin1', 0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head);
    if (!head.startsWith('HTTP/1.1 200') || !length) reject(new Error(`not what was asked for: ${head}`));
    return end + Number(length?.[1]);
  }

  connection.receive = receive;
  socket.on('close', refuse);
  if (socket.destroyed) refuse();
  else send();
  return promise;
}
