/**
 * Connections that a worker was given and did not live to take. Node's primary keeps its side of each until the worker
 * says that it has it; of one that dies before, the client would wait for ever.
 */
import type { Worker } from 'node:cluster';

/** What Node's primary sends with a connection: lib/internal/cluster/round_robin_handle.js. */
interface Given {
  act?: string;
  seq?: number;
}

interface Connection {
  close(): void;
}

/** Ends them when the worker has died: their clients may try again. */
export function endUntaken({ process: child }: Worker): void {
  const untaken = new Map<number, Connection>();
  let hasEnded = false;
  const send = child.send.bind(child) as (...sent: unknown[]) => unknown;
  child.send = ((message: Given, connection: Connection | undefined, ...rest: unknown[]) => {
    if (message.act === 'newconn' && connection) {
      // Until its channel is closed, too, Node takes it for one that is free.
      if (hasEnded) return void connection.close();
      untaken.set(message.seq!, connection);
    }
    return send(message, connection, ...rest);
  }) as typeof child.send;
  child.on('internalMessage', ({ ack }: { ack?: number }) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  child.once('exit', () => {
    hasEnded = true;
    for (const connection of untaken.values()) connection.close();
  });
}
