/**
 * For whom the queries of an asynchronous call are made, so that slow reads are shared out fairly. Only queues ask
 * for it; what somebody may see is decided by the viewer, who is an argument.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const callers = new AsyncLocalStorage<string>();

/** `caller` is a user or an address. */
export function runFor(caller: string, work: () => void): void {
  callers.run(caller, work);
}

/** '' for what the server does by itself. */
export function currentCaller(): string {
  return callers.getStore() ?? '';
}
