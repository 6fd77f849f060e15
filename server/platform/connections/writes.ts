/**
 * What one turn of the event loop answers is written at its end, together. A server that is slower than its client finds
 * the client asleep at every write and pays for waking it, and what it had in the processor's caches is gone when it
 * goes on. Several answers in a row wake the client once.
 *
 * `socket.cork` cannot do it: Node's responses uncork the socket fully when they end. Writable documents `_write`,
 * `_writev` and `_destroy` as what a stream provides, and a socket's own ones stand before those of its class.
 */
import { AsyncResource } from 'node:async_hooks';
import { Socket } from 'node:net';

type Callback = (error?: Error | null) => void;
type Write = (callback: Callback) => void;

export interface Writes {
  /** From now on, what is written to the socket waits for the end of the turn. */
  join(socket: Socket): void;
  /** Writes what waits. What the system takes of it at once still counts as waiting until the next tick. */
  writeNow(): void;
}

const { _write, _writev, _destroy } = Socket.prototype;

export function createWrites(): Writes {
  let waiting: (() => void)[] = [];
  let isGoingOn = false;

  function writeNow(): void {
    const all = waiting;
    waiting = [];
    for (const write of all) write();
  }

  /** When all of the turn are written: callbacks do the work that follows an answer, and may throw. */
  function write(work: Write, callback: Callback): void {
    const end: Callback = (error) => process.nextTick(goOn, callback, error);
    try {
      work(end);
    } catch (error) {
      end(error as Error);
    }
  }

  function goOn(callback: Callback, error?: Error | null): void {
    isGoingOn = true;
    try {
      callback(error);
    } finally {
      isGoingOn = false;
    }
  }

  function hold(work: Write, callback: Callback): void {
    // What the end of a write brings about, such as a file's next piece, has nothing to be gathered with.
    if (isGoingOn) return void write(work, callback);
    // What follows belongs to the caller of this write (fair-order.ts), not of the first in the turn.
    const own = new AsyncResource('HeldWrite');
    if (waiting.push(() => own.runInAsyncScope(write, undefined, work, callback)) === 1)
      setImmediate(writeNow);
  }

  function join(socket: Socket): void {
    socket._write = (chunk, encoding, callback) =>
      hold((end) => _write.call(socket, chunk, encoding, end), callback);
    socket._writev = (chunks, callback) => hold((end) => _writev!.call(socket, chunks, end), callback);
    // At a stop Node destroys connections whose answer is given: it leaves before that, as if it had never waited. The
    // others leave as well: a client that is cut off for a flood of requests has more of them to be parsed in this turn.
    socket._destroy = (error, callback) => {
      writeNow();
      _destroy.call(socket, error, callback);
    };
  }

  return { join, writeNow };
}
