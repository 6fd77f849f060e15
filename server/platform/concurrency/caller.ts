/**
 * For whom an asynchronous call is made, so that what is scarce is shared out fairly. Only queues ask for it; what
 * somebody may see is decided by the viewer, who is an argument.
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
