import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller } from '../../../server/platform/concurrency/fair-order.ts';
import {
  createImagingQueue,
  type ImagingQueueRequest,
} from '../../../server/platform/imaging/queue/queue.ts';

function user(id: number): Caller {
  return { name: `u${id}`, address: `192.0.2.${id}` };
}

suite('the imaging queue', () => {
  test('begins what is behind when nothing else may begin, and lets nothing wait for it', async () => {
    const queue = createImagingQueue({ concurrency: 1, maxWaiting: 20, memoryBytes: 100 });
    const began: string[] = [];
    const gate = Promise.withResolvers<void>();
    const job = (name: string, request: ImagingQueueRequest, ends = Promise.resolve()) =>
      queue.run(async () => {
        began.push(name);
        await ends;
      }, request);
    const all = [
      job('first', { caller: user(1), bytes: 90 }, gate.promise),
      job('behind 1', { caller: user(2), isBehind: true }),
      job('behind 2', { caller: user(2), isBehind: true }),
      job('behind, light', { caller: user(3), bytes: 1, isBehind: true }),
      job('upload 1', { caller: user(4), bytes: 90 }),
      job('upload 2', { caller: user(4), bytes: 90 }),
      job('upload 3', { caller: user(5), bytes: 90 }),
    ];
    await nextTurn();
    assert.deepEqual(began, ['first'], 'a light one that is behind takes no place beside the cores');
    gate.resolve();
    await Promise.all(all);
    assert.deepEqual(began.slice(0, 4).sort(), ['first', 'upload 1', 'upload 2', 'upload 3']);
    assert.deepEqual(began.slice(4).sort(), ['behind 1', 'behind 2', 'behind, light']);
  });
});
