/**
 * Sends short bursts of requests over keep-alive connections. Autocannon runs for at least a second; many
 * alternating bursts compare two servers better on a busy machine.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Load {
  /**
   * Sends the given number of requests, spread over the connections, one at a time on each. Resolves with the
   * milliseconds of each request after all responses have arrived.
   */
  burst(requests: number): Promise<number[]>;
  close(): void;
}

/** Returns the n-th request of the load, for the given connection. */
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
 * Opens a connection that receives into the shared buffer. Separate buffers triggered this process's garbage
 * collector in most bursts, and its threads delayed the server's responses.
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

/** Sends requests one at a time, and reads each response completely. Any status but 200 is an error. */
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

  /** Rejects when the server closes the connection; otherwise the burst would never end. */
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
