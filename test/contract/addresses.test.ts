/**
 * Tests requests of many accounts at one IP address. The gallery serves all these accounts together as often
 * as one account elsewhere, and skips none.
 */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { type Caller, currentCaller } from '../../server/platform/concurrency/fair-order.ts';
import type { FairQueue } from '../../server/platform/concurrency/fair-queue.ts';
import { ordinaryJobBytes } from '../../server/platform/imaging/bounds.ts';
import { createImagingQueue, type ImagingQueue } from '../../server/platform/imaging/queue/queue.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { type Answer, asVisitor, type Person, password, register } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';

const club = '198.51.100.1';
const home = '198.51.100.2';
const waitMs = 30_000;

/** Records the callers in the order in which their jobs start, and holds each job until `letGo()`. */
interface Watched {
  began: string[];
  /** If true, the test lets every job run without holding it. */
  isOpen?: boolean;
  letGo(): void;
}

async function startOrder(watched: Watched, count: number): Promise<string[]> {
  const { began } = watched;
  while (began.length < count) {
    const before = began.length;
    watched.letGo();
    await eventually(async () => assert.ok(began.length > before, began.join()), waitMs);
  }
  watched.letGo();
  return began;
}

/** Records the caller as started, and waits until the test calls `letGo()`. */
async function hold(watched: Watched, caller: Caller): Promise<void> {
  if (watched.isOpen) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  watched.letGo = resolve;
  watched.began.push(caller.name);
  await promise;
}

/** Wraps the real imaging queue so that the test holds its jobs one at a time. */
function watchImaging(queue: ImagingQueue, watched: Watched): ImagingQueue {
  const run: ImagingQueue['run'] = (job, request) =>
    queue.run(async () => {
      await hold(watched, currentCaller());
      return job();
    }, request);
  return Object.create(queue, { run: { value: run } });
}

/**
 * Wraps a fair queue so that the test holds its jobs until the test is over. All places but one are taken.
 */
async function watchQueue(t: TestContext, queue: FairQueue, places: number): Promise<Watched> {
  const watched: Watched = { began: [], letGo() {} };
  const { acquire, with: within } = queue;
  const taken = Array.from({ length: places - 1 }, (_, n) =>
    acquire({ name: `held ${n}`, address: `held ${n}` }),
  );
  queue.acquire = async (caller) => {
    const leave = await acquire(caller);
    await hold(watched, caller);
    return leave;
  };
  queue.with = (caller, work) =>
    within(caller, async () => {
      await hold(watched, caller);
      return work();
    });
  t.after(async () => {
    Object.assign(queue, { acquire, with: within });
    for (const leave of await Promise.all(taken)) leave();
  });
  return watched;
}

function refusedBusy({ status, body, headers }: Answer): void {
  assert.deepEqual([status, body.code], [503, 503]);
  assert.ok(Number(headers.get('retry-after')) >= 1);
}

describe('callers of one address', { timeout: 240_000 }, () => {
  let gallery: Gallery;
  let imaging: ImagingQueue;
  let picture: Buffer;
  let ann: Person;
  let ben: Person;
  let cat: Person;
  let dan: Person;
  const watched: Watched = { began: [], letGo() {} };

  before(async () => {
    imaging = createImagingQueue({
      concurrency: 1,
      maxWaiting: 20,
      maxWaitingPerAddress: 4,
      maxWaitingPerCaller: 3,
      // Leaves memory for one job at a time: any two jobs need more memory, also on several cores.
      memoryBytes: 1.5 * ordinaryJobBytes,
    });
    gallery = await startGallery({ trustProxy: true }, { imagingQueue: watchImaging(imaging, watched) });
    picture = await createJpeg();
    ann = await register(gallery, 'ann');
    ben = await register(gallery, 'ben');
    cat = await register(gallery, 'cat');
    dan = await register(gallery, 'dan');
  });
  after(() => gallery?.close());

  function from(person: Person, address: string, path: string, body: object): Promise<Answer> {
    return person.send('POST', path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    });
  }

  function upload(person: Person, address: string): Promise<Answer> {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(picture)]), 'photo.jpg');
    return person.send('POST', '/api/photos/upload', { body, headers: { 'x-forwarded-for': address } });
  }

  const getUsername = ({ id }: Person) => `u${id}`;
  const waits = (queue: { waiting: number }, count: number) =>
    eventually(async () => assert.equal(queue.waiting, count), waitMs);

  /** Enqueues the requests: the first runs and is held, the others wait in the given order. */
  async function enqueue(asked: [Person, string][]): Promise<Promise<Answer>[]> {
    watched.began.length = 0;
    const answers: Promise<Answer>[] = [];
    for (const [index, [person, address]] of asked.entries()) {
      answers.push(upload(person, address));
      if (index === 0) await eventually(async () => assert.equal(imaging.running, 1), waitMs);
      await waits(imaging, index);
    }
    return answers;
  }

  async function assertStored(answers: Promise<Answer>[]): Promise<void> {
    const all = await Promise.all(answers);
    assert.deepEqual(
      all.map(({ status }) => status),
      answers.map(() => 200),
    );
    assert.deepEqual([imaging.running, imaging.waiting, imaging.heldBytes], [0, 0, 0]);
  }

  test('accounts of one address share as many starts of imaging as a single account, in turns', async () => {
    const answers = await enqueue([
      [ann, club],
      [ann, club],
      [ben, club],
      [cat, club],
      [cat, club],
      [dan, home],
      [dan, home],
    ]);
    const began = await startOrder(watched, answers.length);
    assert.deepEqual(began, [ann, dan, ben, dan, cat, ann, cat].map(getUsername));
    await assertStored(answers);
  });

  test('accounts of one address are served without a pause while no other address asks', async () => {
    const answers = await enqueue([
      [ann, club],
      [ann, club],
      [ben, club],
      [ben, club],
    ]);
    assert.deepEqual(await startOrder(watched, answers.length), [ann, ben, ann, ben].map(getUsername));
    await assertStored(answers);
  });

  test('one account that comes from many addresses does not overtake the callers of one address', async () => {
    const answers = await enqueue([
      [dan, '203.0.113.1'],
      [dan, '203.0.113.2'],
      [dan, '203.0.113.3'],
      [ann, club],
      [ben, club],
    ]);
    assert.deepEqual(await startOrder(watched, answers.length), [dan, ann, dan, ben, dan].map(getUsername));
    await assertStored(answers);
  });

  test('limits the waiting jobs of one address: refuses a caller with a job, accepts a caller without one', async () => {
    const answers = await enqueue([
      [ann, club],
      [ann, club],
      [ann, club],
      [ben, club],
      [ben, club],
    ]);
    refusedBusy(await upload(ann, club));
    refusedBusy(await upload(ben, club));
    answers.push(upload(cat, club));
    await waits(imaging, 5);
    refusedBusy(await upload(cat, club));
    answers.push(upload(dan, home), upload(dan, home));
    await waits(imaging, 7);
    await startOrder(watched, answers.length);
    await assertStored(answers);
  });

  /** Creates a share link with a password through the real queue, which the test does not watch. */
  async function makeLink(): Promise<string> {
    const { id } = (await upload(dan, home)).body.data;
    const { body } = await dan.post(`/api/photos/${id}/share`, { type: 'link', password });
    return body.data.url.split('/').at(-1);
  }

  test('accounts of one address share password hashing in turns', async (t) => {
    watched.isOpen = true;
    const { id } = (await upload(ann, club)).body.data;
    await ann.put(`/api/photos/${id}`, { is_public: 1 });
    const token = await makeLink();
    const queue = gallery.shared.hashes;
    const hashes = await watchQueue(t, queue, 2);
    const share = (person: Person) => () =>
      from(person, club, `/api/photos/${id}/share`, { type: 'link', password });
    const unlock = () => from(asVisitor(gallery), home, `/api/shares/${token}/unlock`, { password });
    const asked = [share(ann), share(ann), share(ben), share(cat), unlock, unlock];
    const answers: Promise<Answer>[] = [];
    for (const [index, ask] of asked.entries()) {
      answers.push(ask());
      await eventually(async () => assert.equal(hashes.began.length, 1), waitMs);
      await waits(queue, index);
    }
    const [a, b, c] = [ann, ben, cat].map(getUsername);
    assert.deepEqual(await startOrder(hashes, asked.length), [a, home, b, home, c, a]);
    for (const { status } of await Promise.all(answers)) assert.equal(status, 200);
  });
});
