/**
 * The server is killed at random moments while clients upload, edit and delete; whatever they were told must
 * still be so after the restart. `LIGHTWELL_CRASH_ROUNDS` asks for more rounds.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { readConfig } from '../../server/config.ts';
import { closeDeps, openDeps } from '../../server/deps.ts';
import { sweep } from '../../server/tools/upkeep/sweep.ts';
import { eventually, objectsOfRows, objectsOnDisk } from '../support/holdings.ts';
import { type Person, person, register } from '../support/people.ts';
import { jpeg } from '../support/pictures.ts';
import { createRandom } from '../support/random.ts';
import { seed } from '../support/seed.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { assertLedgerHolds, type Entry, sha256 } from './ledger.ts';

const rounds = Number(process.env.LIGHTWELL_CRASH_ROUNDS ?? 12);
const uploaders = 3;
/** Milliseconds. */
const longest = 600;

describe(`a server that is killed (seed ${seed})`, () => {
  const random = createRandom(seed);
  let dataDir: string;
  let server: ServerProcess;
  let owner: Person;
  let pictures: Buffer[];
  const ledger: Entry[] = [];
  let uploads = 0;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-crash-'));
    server = await startServer({ dataDir });
    owner = await register(server, 'owner');
    pictures = await Promise.all([900, 1200, 300].map((width) => jpeg({ width, height: 600 })));
  });
  after(async () => {
    await server?.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  for (let round = 0; round < rounds; round++) {
    test(`round ${round + 1}`, async (context) => {
      const clients = [...Array.from({ length: uploaders }, upload), edit(), remove()];
      // Every second time in the midst of work, however slow the machine is; the others at any moment, the start included.
      const isInTheMidst = round % 2 === 1;
      const enough = ledger.length + uploaders;
      if (isInTheMidst) await eventually(async () => assert.ok(ledger.length >= enough));
      if (round === rounds - 1) await eventually(async () => assertAllKinds());
      const after = 20 + random.below(longest);
      await pause(after);
      assert.equal(await server.end('SIGKILL'), 'SIGKILL');
      await Promise.all(clients);
      context.diagnostic(`killed after ${Math.round(after)} ms, ${ledger.length} uploads answered`);

      server = await startServer({ dataDir });
      owner = person(server, owner.name, owner.token, owner.id);
      await assertLedgerHolds(ledger.slice(-25), owner, dataDir);
    });
  }

  test('was told of enough to lose', () => {
    assert.ok(ledger.length > rounds, `${ledger.length} uploads`);
    assertAllKinds();
  });

  function assertAllKinds(): void {
    assert.ok(ledger.some(({ edits }) => edits > 0));
    assert.ok(ledger.some(({ deletion }) => deletion === 'answered'));
  }

  test('leaves only what the sweep removes', async () => {
    assert.equal(await server.end('SIGTERM'), 0);
    const config = readConfig({ DATA_DIR: dataDir });
    // A day later: versions that edits replaced are due, too.
    const clock = () => Math.floor(Date.now() / 1000) + 86_400;
    const deps = await openDeps(config, pino({ level: 'silent' }), clock);
    try {
      await sweep(deps, { graceSeconds: 0 });
      assert.deepEqual(await objectsOnDisk(dataDir), await objectsOfRows(deps));
    } finally {
      await closeDeps(deps);
    }
    server = await startServer({ dataDir });
    owner = person(server, owner.name, owner.token, owner.id);
    await assertLedgerHolds(ledger, owner, dataDir);
  });

  /** Until the server is gone. */
  async function upload(): Promise<void> {
    for (;;) {
      // Bytes behind the picture's end are kept: every file is another.
      const file = Buffer.concat([pictures[uploads % 3]!, Buffer.from(`number ${uploads++}`)]);
      const answer = await owner.upload(file).catch(() => undefined);
      if (!answer) return;
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const { id } = answer.body.data;
      ledger.push({ id, sha256: sha256(file), edits: 0, editsAsked: 0, deletion: 'none' });
    }
  }

  async function edit(): Promise<void> {
    for (;;) {
      const entry = pick(0);
      if (!entry) {
        await pause(10);
        if (await isGone()) return;
        continue;
      }
      entry.editsAsked++;
      const step = { action: 'rotate', params: { angle: 90 } };
      const answer = await owner.post(`/api/photos/${entry.id}/edit`, step).catch(() => undefined);
      if (!answer) return;
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      entry.edits++;
    }
  }

  async function remove(): Promise<void> {
    for (;;) {
      const entry = pick(1);
      await pause(30);
      if (!entry) {
        if (await isGone()) return;
        continue;
      }
      entry.deletion = 'asked';
      const answer = await owner.delete(`/api/photos/${entry.id}`).catch(() => undefined);
      if (!answer) return;
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      entry.deletion = 'answered';
    }
  }

  /** The editor takes even ids, the deleter odd ones: they do not surprise each other. */
  function pick(remainder: number): Entry | undefined {
    const mine = ledger.filter(({ id, deletion }) => id % 4 === remainder && deletion === 'none');
    return mine.length > 0 ? random.pick(mine) : undefined;
  }

  async function isGone(): Promise<boolean> {
    return owner.get('/health/live').then(
      () => false,
      () => true,
    );
  }
});
