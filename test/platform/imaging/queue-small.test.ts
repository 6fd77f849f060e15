import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ordinaryJobBytes } from '../../../server/platform/imaging/bounds.ts';
import { createImagingQueue } from '../../../server/platform/imaging/queue/queue.ts';

const user = (id: number) => ({ name: `u${id}`, address: `192.0.2.${id}` });

suite('the imaging queue', () => {
  test('lets a small one wait for one heavy one, and not for those of many others', async () => {
    const heavy = ordinaryJobBytes * 2.5;
    const queue = createImagingQueue({ concurrency: 2, maxWaiting: 40, memoryBytes: ordinaryJobBytes * 3 });
    const began: string[] = [];
    const gate = Promise.withResolvers<void>();
    const job = (name: string, id: number, bytes: number) =>
      queue.run(
        async () => {
          began.push(name);
          await gate.promise;
        },
        { caller: user(id), bytes },
      );
    const heavies = [1, 2, 3, 4, 5, 6].map((id) => job('heavy', id, heavy));
    const small = job('small', 7, ordinaryJobBytes);
    await nextTurn();
    assert.deepEqual(began, ['heavy']);
    gate.resolve();
    await Promise.all([...heavies, small]);
    assert.deepEqual(began.slice(0, 2), ['heavy', 'small']);
    assert.equal(began.length, 7);
  });
});
