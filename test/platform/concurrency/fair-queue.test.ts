/**
 * Tests the rules by which a fair queue refuses callers: after how long a wait, and because of whose load.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../../server/platform/concurrency/fair-order.ts';
import { createFairQueue, type FairQueue } from '../../../server/platform/concurrency/fair-queue.ts';

const maxWaitMs = 30;

function createQueue(places: number, maxWaitingPerCaller = 1000): FairQueue {
  return createFairQueue({
    maxRunning: places,
    maxRunningPerCaller: 1,
    maxWaiting: 1000,
    maxWaitingPerAddress: 1000,
    maxWaitingPerCaller,
    maxWaitMs,
    refuse: (isOwn) => new Error(isOwn ? 'own' : 'all'),
  });
}

const request = (name: string): Caller => ({ name, address: name, isRequest: true });

/** Returns the reason of each refusal, or an empty text if the queue let the caller in. */
async function reasons(entries: Promise<() => void>[]): Promise<string[]> {
  const ends = await Promise.allSettled(entries);
  return ends.map((end) => (end.status === 'rejected' ? end.reason.message : ''));
}

test('hundreds of one caller wait for their turns, and all of them get one', async () => {
  const queue = createQueue(2);
  const began: string[] = [];
  const work = async (name: string) => void began.push(name);
  const all = Array.from({ length: 400 }, () => queue.with(request('ann'), () => work('ann')));
  all.push(queue.with(request('bob'), () => work('bob')));
  await Promise.all(all);
  assert.equal(began.length, 401);
  assert.ok(began.indexOf('bob') < 5, `bob was number ${began.indexOf('bob')}`);
});

test('the queue tells a caller who waits in vain behind own requests that these are too many', async () => {
  const queue = createQueue(2);
  const leave = await queue.acquire(request('ann'));
  assert.deepEqual(await reasons([queue.acquire(request('ann')), queue.acquire(request('ann'))]), [
    'own',
    'own',
  ]);
  leave();
  (await queue.acquire(request('ann')))();
});

test('the queue tells a caller who waits in vain for others that the server is busy', async () => {
  const queue = createQueue(2);
  const taken = [await queue.acquire(request('bob')), await queue.acquire(request('cat'))];
  const own = request('ann');
  const entries = [queue.acquire(own), queue.acquire(own), queue.acquire({ name: '', address: '' })];
  assert.deepEqual(await reasons(entries), ['all', 'all', 'all']);
  for (const leave of taken) leave();
  assert.deepEqual([queue.running, queue.waiting], [0, 0]);
});

test('the jobs of one request count as one among those that wait', async () => {
  const queue = createQueue(2, 2);
  const leave = await queue.acquire(request('ann'));
  const [first, second, third] = [request('ann'), request('ann'), request('ann')];
  const ran: Promise<void>[] = [];
  const begin = (caller: Caller) => ran.push(queue.with(caller, async () => {}));
  for (let n = 0; n < 5; n++) for (const caller of [first, second]) begin(caller);
  assert.equal(queue.waiting, 2);
  assert.deepEqual(await reasons([queue.acquire(third)]), ['own']);
  begin(first);
  leave();
  await Promise.all(ran);
  assert.deepEqual([queue.running, queue.waiting], [0, 0]);
});
