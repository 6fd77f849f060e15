/** Redis stopped, asleep and emptied in the middle of uploads and edits: no client notices, and everything is there. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../support/holdings.ts';
import { addPhoto, type Person, register } from '../../support/people.ts';
import { jpeg } from '../../support/pictures.ts';
import { type RedisServer, startRedis, withoutRedis } from '../../support/redis.ts';
import { type Processes, startProcesses } from './gallery.ts';

const timeoutMs = 30_000;

describe('uploads and edits while Redis is in trouble', { skip: withoutRedis }, () => {
  let redis: RedisServer;
  let gallery: Processes;
  let ann: Person[];

  before(async () => {
    redis = await startRedis();
    // The limit is on, and high enough for half of it never to be reached.
    gallery = await startProcesses(2, { REDIS_URL: redis.url, RATE_LIMIT: '1000000' });
    ann = gallery.everywhere(await register(gallery.servers[0]!, 'ann'));
  });
  after(async () => {
    await gallery?.close();
    await redis?.stop();
  });

  test('are all answered with 200, on both processes, and all of them hold', async () => {
    const work = await startWork(ann);
    const faults = [
      () => redis.stop(),
      () => redis.start(),
      () => redis.command('FLUSHALL'),
      () => redis.sleep(),
      () => redis.wake(),
    ];
    for (const fault of [...faults, ...faults]) {
      await Promise.all([fault(), work.goesOn()]);
    }
    const { uploads, edits } = await work.stop();
    assert.ok(uploads.length > 0 && edits > 0);
    const { body } = await ann[1]!.get('/api/photos?limit=1');
    assert.equal(
      body.data.pagination.total,
      uploads.length + ann.length,
      'the two to edit, and what was uploaded',
    );
    for (const id of uploads) {
      const { status, body } = await ann[0]!.get(`/api/photos/${id}`);
      assert.equal(status, 200);
      for (const path of [body.data.path, body.data.thumb])
        assert.equal((await ann[1]!.get(path)).status, 200);
    }
    for (const server of gallery.servers) {
      assert.doesNotMatch(server.output(), /unhandled|uncaught|"level":(50|60)/i);
    }
  });
});

/** One who uploads and one who edits on each process, until they are told to stop. Every answer must be 200. */
async function startWork(everywhere: Person[]) {
  const uploads: number[] = [];
  let edits = 0;
  let isOver = false;
  const repeat = async (once: () => Promise<void>) => {
    while (!isOver) await once();
  };
  const upload = (who: Person) => async () => {
    const { status, body } = await who.upload(await jpeg());
    assert.equal(status, 200, JSON.stringify(body));
    uploads.push(body.data.id);
  };
  const edit = (who: Person, id: number) => async () => {
    const { status, body } = await who.post(`/api/photos/${id}/edit`, {
      action: 'rotate',
      params: { angle: 90 },
    });
    assert.equal(status, 200, JSON.stringify(body));
    edits++;
    // A history has an end; this is about Redis.
    assert.equal((await who.post(`/api/photos/${id}/revert`, {})).status, 200);
  };
  const loops = [];
  for (const who of everywhere) {
    const { id } = await addPhoto(who);
    loops.push(repeat(upload(who)), repeat(edit(who, id)));
  }
  const running = Promise.all(loops);
  // Told by `stop`; until then there is no listener.
  running.catch(() => {
    isOver = true;
  });
  return {
    /** Resolves when both have gone on; rejects with what stopped them. */
    async goesOn() {
      const before = { uploads: uploads.length, edits };
      await eventually(async () => {
        if (isOver) await running;
        assert.ok(uploads.length >= before.uploads + 4 && edits >= before.edits + 4);
      }, timeoutMs);
    },
    async stop() {
      isOver = true;
      await running;
      return { uploads, edits };
    },
  };
}
