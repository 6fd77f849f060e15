import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { QueueFullError } from '../../server/imaging/errors.ts';
import { createImagingQueue } from '../../server/imaging/queue.ts';

suite('the imaging queue', () => {
  test('runs no more at once than it may', async () => {
    const queue = createImagingQueue({ concurrency: 2, maxWaiting: 10 });
    let [running, most] = [0, 0];
    const job = async () => {
      most = Math.max(most, ++running);
      await nextTurn();
      running--;
    };
    await Promise.all(Array.from({ length: 10 }, () => queue.run(job)));
    assert.equal(most, 2);
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

  test('drops who no longer waits', async () => {
    const queue = createImagingQueue({ concurrency: 1, maxWaiting: 5 });
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const first = queue.run(() => gate);
    const leaving = new AbortController();
    let hasRun = false;
    const second = queue.run(async () => {
      hasRun = true;
    }, leaving.signal);
    leaving.abort();
    await assert.rejects(second, { name: 'AbortError' });
    open();
    await first;
    await queue.drain();
    assert.equal(hasRun, false);
    await assert.rejects(
      queue.run(async () => {}, AbortSignal.abort()),
      { name: 'AbortError' },
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
});
