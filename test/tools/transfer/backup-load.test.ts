/** Takes a backup while the gallery is in use. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { holdObjects } from '../../../server/platform/ownership/holds.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { listReferencedObjects } from '../../support/gallery-counts.ts';
import type { Gallery } from '../../support/harness.ts';
import { addPhoto, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { backUp, restoreTo } from './archives.ts';
import { createScope, otherHome, serve, sqliteHome } from './gallery-locations.ts';
import { replaceAddresses } from './walk-api.ts';

const before = 12;
/** Minimum rounds of every worker while the backup runs, and again after it. */
const minRounds = 5;

test('a backup under load restores with every photo acknowledged before, and no row without its bytes', async (context) => {
  const { gallery, scope } = await start(context);
  const owner = await register(gallery, 'busy');
  const acknowledged: { id: number; sha256: string }[] = [];
  for (let n = 0; n < before; n++) {
    const file = await picture(n);
    acknowledged.push({
      id: (await addPhoto(owner, { title: `Before ${n}` }, file)).id,
      sha256: hash('sha256', file),
    });
  }
  const load = startLoad(gallery, owner, acknowledged.slice(0, 4));
  await load.rounds(1);
  const file = join((await sqliteHome(scope)).dataDir, 'busy.tar');
  const { missing, damaged } = await backUp(gallery, file);
  const during = await load.rounds(minRounds);
  context.diagnostic(`${during} rounds of load`);
  await load.stop();
  assert.deepEqual([missing, damaged], [[], []]);

  const home = await otherHome(scope);
  await restoreTo(home, file);
  const restored = await serve(home);
  scope.after(() => restored.close());
  const same = replaceAddresses(restored, owner);
  for (const { id, sha256 } of acknowledged) {
    const rows = restored.deps.db.kysely.selectFrom('photos').select('sha256').where('id', '=', id);
    assert.equal((await rows.executeTakeFirst())?.sha256, sha256, `photo ${id}`);
  }
  for (const name of await listReferencedObjects(restored.deps)) {
    assert.ok(await restored.deps.storage.stat(name), `${name} has a row and no bytes`);
  }
  const kept = acknowledged.slice(4);
  for (const { id, sha256 } of kept) {
    assert.equal(hash('sha256', (await same.get(`/api/photos/${id}/download`)).bytes), sha256);
  }
});

test('the maintenance run removes no object during a hold, and removes objects afterwards', async (context) => {
  const { gallery } = await start(context);
  const owner = await register(gallery, 'holder');
  const { id } = await addPhoto(owner);
  const names = await listReferencedObjects(gallery.deps);
  const hold = await holdObjects(gallery.deps);
  await owner.delete(`/api/photos/${id}`);
  await owner.delete(`/api/trash/${id}`);

  await runMaintenance(gallery.deps, { graceSeconds: 0 });
  for (const name of names) assert.ok(await gallery.deps.storage.stat(name), name);
  await hold.check();
  await hold.release();
  await runMaintenance(gallery.deps, { graceSeconds: undefined });
  for (const name of names) assert.equal(await gallery.deps.storage.stat(name), undefined, name);
});

test('a killed process holds for ten minutes', async (context) => {
  const { gallery, scope } = await start(context);
  const owner = await register(gallery, 'killed');
  const { id } = await addPhoto(owner);
  const names = await listReferencedObjects(gallery.deps);
  const hold = await holdObjects(gallery.deps);
  scope.after(() => hold.release());
  await owner.delete(`/api/photos/${id}`);
  await owner.delete(`/api/trash/${id}`);
  gallery.travel(300);
  await runMaintenance(gallery.deps, { graceSeconds: undefined });
  assert.ok(await gallery.deps.storage.stat(names[0]!));
  gallery.travel(301);
  await runMaintenance(gallery.deps, { graceSeconds: undefined });
  assert.equal(await gallery.deps.storage.stat(names[0]!), undefined);
  // The hold stays expired, even if the clock is set back.
  gallery.travel(-601);
  await assert.rejects(hold.check(), /has expired/);
});

/** Starts workers that upload, edit, delete photos and run maintenance in a loop. */
function startLoad(gallery: Gallery, owner: Person, editable: { id: number }[]) {
  let isStopping = false;
  const done = { upload: 0, edit: 0, end: 0, sweep: 0 };
  const repeat = async (what: keyof typeof done, work: (round: number) => Promise<unknown>) => {
    while (!isStopping) {
      await work(done[what]);
      done[what]++;
    }
  };
  const workers = [
    repeat('upload', async (n) => addPhoto(owner, { title: `During ${n}` }, await picture(1000 + n))),
    repeat('edit', (n) =>
      owner.post(`/api/photos/${editable[n % editable.length]!.id}/edit`, {
        action: 'rotate',
        params: { angle: 90 },
      }),
    ),
    repeat('end', async (n) => {
      const { id } = await addPhoto(owner, {}, await picture(2000 + n));
      assert.equal((await owner.delete(`/api/photos/${id}`)).status, 200);
      assert.equal((await owner.delete(`/api/trash/${id}`)).status, 200);
    }),
    repeat('sweep', async () => {
      await runMaintenance(gallery.deps, { graceSeconds: undefined });
      await pause(5);
    }),
  ];
  // Handles rejections early, so that a failure does not end the process before `stop` reports it.
  for (const worker of workers) worker.catch(() => {});
  return {
    /**
     * Waits until every worker has completed `more` rounds. Returns the total number of rounds of all
     * workers.
     */
    async rounds(more: number): Promise<number> {
      const from = { ...done };
      const isDone = () =>
        Object.entries(done).every(([what, n]) => n >= from[what as keyof typeof done] + more);
      while (!isDone()) await Promise.race([pause(20), Promise.all(workers)]);
      return Object.values(done).reduce((sum, n) => sum + n, 0);
    },
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all(workers);
    },
  };
}

/** Returns a picture with other bytes for each number. */
async function picture(n: number): Promise<Buffer> {
  return Buffer.concat([await createJpeg(), Buffer.from(`number ${n}`)]);
}

async function start(context: TestContext) {
  const scope = createScope();
  context.after(() => scope.end());
  const gallery = await serve(await otherHome(scope, { isMigrated: true }));
  scope.after(() => gallery.close());
  return { gallery, scope };
}
