import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller } from '../../../server/platform/concurrency/fair-order.ts';
import { ordinaryJobBytes } from '../../../server/platform/imaging/bounds.ts';
import { AbandonedJobError, ImageError, QueueFullError } from '../../../server/platform/imaging/errors.ts';
import {
  createImagingQueue,
  type ImagingQueue,
  type ImagingQueueRequest,
} from '../../../server/platform/imaging/queue/queue.ts';

function user(id: number, address = `192.0.2.${id}`): Caller {
  return { name: `u${id}`, address };
}

suite('the imaging queue', () => {
  test('runs no more at once than it may', async () => {
    const queue = createImagingQueue({ concurrency: 2, maxWaiting: 10 });
    let [running, max] = [0, 0];
    const job = async () => {
      max = Math.max(max, ++running);
      await nextTurn();
      running--;
    };
    await Promise.all(Array.from({ length: 10 }, () => queue.run(job)));
    assert.equal(max, 2);
  });

  test('is full at once, says when to come back, and counts', async () => {
    const queue = createImagingQueue({ concurrency: 1, maxWaiting: 2 });
    const { promise: gate, resolve: open } = Promise.withResolvers<string>();
    const taken = [1, 2, 3].map(() => queue.run(() => gate));
    assert.deepEqual([queue.running, queue.waiting], [1, 2]);
    await assert.rejects(
      queue.run(() => gate),
      (error) => error instanceof QueueFullError && error.retryAfter === 2,
    );
    open('done');
    assert.deepEqual(await Promise.all(taken), ['done', 'done', 'done']);
    assert.deepEqual([queue.running, queue.waiting], [0, 0]);
  });

  test('goes on after a job that fails', async () => {
    const queue = createImagingQueue({ concurrency: 1, maxWaiting: 2 });
    await assert.rejects(
      queue.run(() => Promise.reject(new Error('bad'))),
      /bad/,
    );
    assert.equal(await queue.run(async () => 'good'), 'good');
  });

  test('drops a job that no longer waits', async () => {
    const queue = createImagingQueue({ concurrency: 1, maxWaiting: 5 });
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const first = queue.run(() => gate);
    const client = new AbortController();
    let hasRun = false;
    const second = queue.run(
      async () => {
        hasRun = true;
      },
      { signal: client.signal },
    );
    client.abort();
    await assert.rejects(second, AbandonedJobError);
    open();
    await first;
    await queue.drain();
    assert.equal(hasRun, false);
    await assert.rejects(
      queue.run(async () => {}, { signal: AbortSignal.abort() }),
      AbandonedJobError,
    );
  });

  test('finishes what it took when it is drained, and takes nothing more', async () => {
    const queue = createImagingQueue({ concurrency: 1, maxWaiting: 5 });
    const done: number[] = [];
    for (const number of [1, 2]) {
      queue.run(async () => {
        await nextTurn();
        done.push(number);
      });
    }
    const drained = queue.drain();
    await assert.rejects(
      queue.run(async () => {}),
      QueueFullError,
    );
    await drained;
    assert.deepEqual(done, [1, 2]);
  });

  /** Creates jobs that report their start, and end when the test ends them. */
  function createJobs(queue: ImagingQueue) {
    const began: string[] = [];
    const ends = new Map<string, () => void>();
    return {
      began,
      ask(name: string, request: ImagingQueueRequest = {}) {
        const { promise, resolve } = Promise.withResolvers<void>();
        ends.set(name, resolve);
        return queue.run(() => {
          began.push(name);
          return promise;
        }, request);
      },
      async end(name: string) {
        ends.get(name)!();
        await nextTurn();
      },
    };
  }

  const heavy = ordinaryJobBytes + 1;

  test('a small picture does not wait for the heavy ones of another caller', async () => {
    const queue = createImagingQueue({ concurrency: 2, maxWaiting: 64, memoryBytes: 10 * heavy });
    const { began, ask, end } = createJobs(queue);
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(name, { caller: user(1), bytes: heavy }));
    all.push(ask('b1', { caller: user(2), bytes: 1000 }), ask('b2', { caller: user(2), bytes: 1000 }));
    await nextTurn();
    assert.deepEqual(began, ['a1', 'a2', 'b1']);
    // The queue serves callers in turn: the second job of caller b starts before the third and fourth jobs of
    // caller a.
    await end('b1');
    assert.deepEqual(began, ['a1', 'a2', 'b1', 'b2']);
    for (const name of ['a1', 'a2', 'b2', 'a3', 'a4']) await end(name);
    await Promise.all(all);
  });

  test('callers are served in turn, however much one asks for', async () => {
    const queue = createImagingQueue({ concurrency: 1, maxWaiting: 64 });
    const { began, ask, end } = createJobs(queue);
    const all = ['a1', 'a2', 'a3'].map((name) => ask(name, { caller: user(1), bytes: heavy }));
    all.push(...['b1', 'b2'].map((name) => ask(name, { caller: user(2), bytes: heavy })));
    for (const name of ['a1', 'b1', 'a2', 'b2', 'a3']) await end(name);
    await Promise.all(all);
    assert.deepEqual(began, ['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  test('is full for the caller who fills it, and for no other', async () => {
    const queue = createImagingQueue({ concurrency: 1, maxWaiting: 5, maxWaitingPerCaller: 3 });
    const { ask, end } = createJobs(queue);
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(name, { caller: user(1), bytes: heavy }));
    await assert.rejects(
      ask('a5', { caller: user(1), bytes: heavy }),
      (error) => error instanceof QueueFullError && error.isOwn,
    );
    all.push(ask('b1', { caller: user(2), bytes: heavy }), ask('b2', { caller: user(2), bytes: heavy }));
    // All five places are taken: a caller with a waiting job is refused, a caller without one may still wait.
    await assert.rejects(
      ask('b3', { caller: user(2), bytes: heavy }),
      (error) => error instanceof QueueFullError && !error.isOwn,
    );
    all.push(ask('c1', { caller: user(3), bytes: heavy }));
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']) await end(name);
    await Promise.all(all);
  });

  test('takes in as many as fit into the memory, small ones beside a heavy one', async () => {
    const queue = createImagingQueue({ concurrency: 4, maxWaiting: 64, memoryBytes: 1.5 * heavy });
    const { began, ask, end } = createJobs(queue);
    const all = [ask('a', { caller: user(1), bytes: heavy }), ask('b', { caller: user(2), bytes: heavy })];
    all.push(ask('c', { caller: user(3), bytes: heavy / 4 }));
    await nextTurn();
    assert.deepEqual([began, queue.heldBytes], [['a', 'c'], 1.25 * heavy]);
    await end('a');
    assert.deepEqual([began, queue.heldBytes], [['a', 'c', 'b'], 1.25 * heavy]);
    await end('b');
    await end('c');
    await Promise.all(all);
    assert.equal(queue.heldBytes, 0);
    await assert.rejects(
      ask('d', { caller: user(1), bytes: 2 * heavy }),
      (error) => error instanceof ImageError && error.reason === 'too-large',
    );
  });

  test('a heavy one is not passed for ever', async () => {
    const queue = createImagingQueue({ concurrency: 2, maxWaiting: 64, memoryBytes: heavy });
    const { began, ask, end } = createJobs(queue);
    const all = [
      ask('small 0', { caller: user(1), bytes: 1000 }),
      ask('heavy', { caller: user(2), bytes: heavy }),
    ];
    // At least one small job is running at all times.
    for (let number = 1; number <= 40; number++) {
      all.push(ask(`small ${number}`, { caller: user(1 + (number % 2) * 2), bytes: 1000 }));
      await end(`small ${number - 1}`);
      if (began.includes('heavy')) break;
    }
    await nextTurn();
    assert.ok(began.includes('heavy'), began.join());
    await end('heavy');
    for (let number = 1; number <= all.length; number++)
      if (began.includes(`small ${number}`)) await end(`small ${number}`);
    await Promise.all(all);
  });

  test('one that leaves while it waits makes room', async () => {
    const queue = createImagingQueue({ concurrency: 1, maxWaiting: 5, maxWaitingPerCaller: 1 });
    const { ask, end, began } = createJobs(queue);
    const first = ask('first', { caller: user(1) });
    const client = new AbortController();
    const second = ask('second', { caller: user(1), signal: client.signal });
    await assert.rejects(ask('third', { caller: user(1) }), QueueFullError);
    client.abort();
    await assert.rejects(second, AbandonedJobError);
    const fourth = ask('fourth', { caller: user(1) });
    await end('first');
    await end('fourth');
    await Promise.all([first, fourth]);
    assert.deepEqual([began, queue.waiting, queue.running], [['first', 'fourth'], 0, 0]);
  });

  test('a heavy one is not held up by small ones without end, of many callers', async () => {
    const queue = createImagingQueue({ concurrency: 2, maxWaiting: 64 });
    const { began, ask, end } = createJobs(queue);
    const small = (number: number) =>
      ask(`small ${number}`, { caller: user(10 + (number % 5)), bytes: 1000 });
    const all = [small(0), small(1), small(2), ask('heavy', { caller: user(1), bytes: heavy })];
    // At least two small jobs are running at all times.
    for (let number = 3; number <= 40; number++) {
      all.push(small(number));
      await end(`small ${number - 3}`);
    }
    const atOnce = began.includes('heavy');
    for (let number = 38; number <= 40; number++) await end(`small ${number}`);
    await end('heavy');
    await Promise.all(all);
    assert.ok(atOnce, 'only when no small one came');
  });

  test('callers who come anew do not pass for ever one who waits', async () => {
    const queue = createImagingQueue({ concurrency: 1, maxWaiting: 64 });
    const { began, ask, end } = createJobs(queue);
    const all = ['a1', 'a2'].map((name) => ask(name, { caller: user(1), bytes: heavy }));
    all.push(ask('new 1', { caller: user(101), bytes: heavy }));
    for (let number = 2; number <= 10; number++)
      all.push(ask(`new ${number}`, { caller: user(100 + number), bytes: heavy }));
    await end('a1');
    for (let number = 1; number <= 10; number++) {
      all.push(ask(`later ${number}`, { caller: user(200 + number), bytes: heavy }));
      await end(`new ${number}`);
    }
    await nextTurn();
    assert.equal(began.at(-1), 'a2');
    await end('a2');
    for (let number = 1; number <= 10; number++) await end(`later ${number}`);
    await Promise.all(all);
  });

  test('one that is left in the moment of its start runs, ends, and holds nothing', async () => {
    const queue = createImagingQueue({ concurrency: 1, maxWaiting: 5, memoryBytes: heavy });
    const { began, ask, end } = createJobs(queue);
    const client = new AbortController();
    const first = ask('first', { caller: user(1), bytes: heavy });
    const second = queue.run(
      async () => {
        // Stops between two steps if the signal is aborted, like the deadline of a job does.
        client.signal.throwIfAborted();
      },
      { caller: user(2), bytes: heavy, signal: client.signal },
    );
    first.then(() => client.abort());
    const refused = assert.rejects(second, { name: 'AbortError' });
    await end('first');
    await refused;
    assert.deepEqual([began, queue.running, queue.waiting, queue.heldBytes], [['first'], 0, 0, 0]);
    assert.equal(await queue.run(async () => 'next', { caller: user(2), bytes: heavy }), 'next');
  });

  test('a drain ends for all who asked for it, also when the last that waited leaves', async () => {
    const queue = createImagingQueue({ concurrency: 1, maxWaiting: 5 });
    const { ask, end } = createJobs(queue);
    const client = new AbortController();
    const first = ask('first');
    const second = ask('second', { caller: user(1), bytes: heavy, signal: client.signal });
    const drained = Promise.all([queue.drain(), queue.drain()]);
    client.abort();
    await assert.rejects(second, AbandonedJobError);
    await end('first');
    await Promise.all([first, drained, queue.drain()]);
  });
});
