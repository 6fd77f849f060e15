/** A real HTTP server that receives webhook deliveries, stores them, and responds as a test wants. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { eventually } from './gallery-counts.ts';

/** Maximum milliseconds of a wait, generous because the test machine may be busy. */
const timeoutMs = 60_000;

export interface ReceivedDelivery {
  path: string;
  headers: Record<string, string>;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every type
  event: any;
}

export interface WebhookReceiver {
  /** URL of the receiver, `http://127.0.0.1:port`. */
  url: string;
  received: ReceivedDelivery[];
  /** The status of all further responses, or a function that writes them. 200 at first. */
  answer: number | ((response: ServerResponse, request: ReceivedDelivery) => void);
  /** Waits until the receiver has `count` deliveries of a type, and returns them. Undefined: of any type. */
  wait(count: number, type?: string): Promise<ReceivedDelivery[]>;
  close(): Promise<void>;
}

export async function startReceiver(host = '127.0.0.1'): Promise<WebhookReceiver> {
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

  const receiver: WebhookReceiver = {
    url: `http://${host}:${port}`,
    received: [],
    answer: 200,
    async wait(count, type) {
      const findReceived = () => receiver.received.filter(({ event }) => !type || event?.type === type);
      await eventually(
        async () => assert.ok(findReceived().length >= count, `${findReceived().length}`),
        timeoutMs,
      );
      return findReceived();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Returns the event of a delivery. Throws if the signature does not match the secret. */
export function verifySignature(secret: string, { body, headers }: ReceivedDelivery) {
  return new Webhook(secret).verify(body, headers);
}
