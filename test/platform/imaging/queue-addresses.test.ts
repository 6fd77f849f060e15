import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ordinaryJobBytes } from '../../../server/platform/imaging/bounds.ts';
import { createImagingQueue } from '../../../server/platform/imaging/queue/queue.ts';

const heavy = ordinaryJobBytes + 1;
const light = 1000;

test('a heavy picture waits for ever neither behind the light ones of its address nor the heavy ones of others', async () => {
  const queue = createImagingQueue({ concurrency: 2, maxWaiting: 1000, memoryBytes: heavy });
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const all: Promise<void>[] = [];
  const ask = (user: number, address: string, bytes: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const job = () => {
      began.push(`u${user}`);
      ends.push(resolve);
      return promise;
    };
    all.push(queue.run(job, { caller: { name: `u${user}`, address }, bytes }));
  };
  const endNext = async () => {
    ends.shift()!();
    await nextTurn();
  };

  ask(1, 'first', light);
  ask(2, 'club', heavy);
  await nextTurn();
  // For each finished job, adds a light job from the same IP address and a heavy job from another IP address.
  for (let number = 0; number < 200 && !began.includes('u2'); number++) {
    ask(3 + (number % 2), 'club', light);
    ask(10 + (number % 3), `elsewhere ${number % 3}`, heavy);
    await endNext();
  }
  const waited = began.indexOf('u2');
  while (ends.length > 0) await endNext();
  await Promise.all(all);
  assert.notEqual(waited, -1, began.join());
  assert.deepEqual([queue.running, queue.waiting, queue.heldBytes], [0, 0, 0]);
});
