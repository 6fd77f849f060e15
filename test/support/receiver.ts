/** What webhooks are delivered to: a real HTTP server that keeps what it gets and answers as it is told. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { eventually } from './holdings.ts';

/** Generous: the machine that runs the tests may be busy. */
const timeoutMs = 60_000;

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every type
  event: any;
}

export interface Receiver {
  /** `http://127.0.0.1:port` */
  url: string;
  received: Received[];
  /** The status of the answers from now on, or what writes them. 200 at first. */
  answer: number | ((response: ServerResponse, request: Received) => void);
  /** Waits until there are so many of a type (undefined: of any), and returns them. */
  wait(count: number, type?: string): Promise<Received[]>;
  close(): Promise<void>;
}

export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    const received = { path: request.url!, headers, body, event: body ? JSON.parse(body) : undefined };
    receiver.received.push(received);
    if (typeof receiver.answer === 'function') receiver.answer(response, received);
    else response.writeHead(receiver.answer).end('what the target says');
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const receiver: Receiver = {
    url: `http://${host}:${port}`,
    received: [],
    answer: 200,
    async wait(count, type) {
      const found = () => receiver.received.filter(({ event }) => !type || event?.type === type);
      await eventually(async () => assert.ok(found().length >= count, `${found().length}`), timeoutMs);
      return found();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Throws unless the signature is the secret's; returns the event. */
export function verified(secret: string, { body, headers }: Received) {
  return new Webhook(secret).verify(body, headers);
}
