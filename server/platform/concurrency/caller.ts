/**
 * The caller of the current asynchronous context, so that queues can serve callers fairly. Only queues read it; who
 * may see what is decided by the viewer, who is always an argument.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from './fair-order.ts';

const callers = new AsyncLocalStorage<Caller>();
const server: Caller = { name: '', address: '' };

export function runFor(caller: Caller, work: () => void): void {
  callers.run(caller, work);
}

/** What the server, or the command line, does by itself has an empty name and address. */
export function currentCaller(): Caller {
  return callers.getStore() ?? server;
}
