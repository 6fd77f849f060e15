/** Maintenance on a wrong, outdated or half restored database removes nothing. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  type DeletionLockReason,
  findDeletionLock,
  setDeletionLock,
} from '../../../server/platform/ownership/deletion-lock.ts';
import { createObjectKey, objectName } from '../../../server/platform/storage/keys.ts';
import { type MaintenanceCounts, runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { findDeletionLockReason, orphanGraceSeconds } from '../../../server/tools/maintenance/orphans.ts';
import type { GalleryLocation } from '../../../server/tools/transfer/gallery-location.ts';
import { assertRead, assertWritten } from '../../support/assert-answers.ts';
import { listReferencedObjects, listStoredObjects } from '../../support/gallery-counts.ts';
import type { Gallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, logIn, register } from '../../support/people.ts';
import { command, locationKinds, saveDatabase } from '../transfer/databases.ts';
import { createScope, type MakeHome, type Scope, serve } from '../transfer/gallery-locations.ts';

const day = 86_400;
const twoDays = 2 * day;

for (const [name, makeHome] of Object.entries(locationKinds)) {
  describe(`on ${name}`, () => {
    test('a database without any image removes no orphans until an operator releases the deletion lock', async (context) => {
      const { home, scope } = await makePlace(context, makeHome);
      const gallery = await start(scope, home);
      const owner = await register(gallery, 'owner');
      const photos = [await addPhoto(owner), await addPhoto(owner)];
      const objects = await listStoredObjects(gallery.deps);
      // Deletes the photo rows, like a restore that has brought back accounts and settings only.
      await gallery.deps.db.kysely.deleteFrom('photos').execute();
      gallery.travel(twoDays);
      assertKept(await sweepAll(gallery));
      assert.deepEqual(await listStoredObjects(gallery.deps), objects);
      await assertHeld(gallery, 'no-images', 6);

      const kept = await addPhoto(owner);
      assertKept(await sweepAll(gallery));
      await assertHeld(gallery, 'no-images', 6);
      assert.equal((await listStoredObjects(gallery.deps)).length, 9);

      const check = await command(home, ['check', '--repair'], { later: twoDays });
      assert.equal(check.code, 1);
      assert.match(
        check.out,
        /the deletion lock stops deletions until an operator releases it.*6 of 9 objects have no row/,
      );
      assert.match(check.out, /, 7 not repaired\.$/m);
      assert.equal((await listStoredObjects(gallery.deps)).length, 9);

      const told = await command(home, ['orphans', '--remove', '6'], { later: twoDays });
      assert.equal(told.code, 0, told.err);
      assert.deepEqual(await listStoredObjects(gallery.deps), await listReferencedObjects(gallery.deps));
      await assertReleased(gallery);
      assert.equal((await asVisitor(gallery).get(kept.thumb)).status, 200);
      assert.equal((await asVisitor(gallery).get(photos[0]!.thumb)).status, 404);
    });

    test('more orphans than a hundred and than a hundredth of all objects set the deletion lock', async (context) => {
      const { home, scope } = await makePlace(context, makeHome);
      const gallery = await start(scope, home);
      await addPhoto(await register(gallery, 'owner'));
      await putOrphans(gallery, 100);
      gallery.travel(twoDays);
      assert.equal((await sweepAll(gallery)).orphans, 100);
      await assertReleased(gallery);
      gallery.travel(twoDays);
      assert.equal((await sweepAll(gallery)).objects, 100, 'what kept rows from coming late is over');
      await putOrphans(gallery, 101);
      gallery.travel(twoDays);
      assertKept(await sweepAll(gallery));
      await assertHeld(gallery, 'many', 101);
      assert.equal((await listStoredObjects(gallery.deps)).length, 104);
      // Deletes the objects without rows, as if an operator had resolved the problem.
      const rows = new Set(await listReferencedObjects(gallery.deps));
      for (const object of await listStoredObjects(gallery.deps)) {
        if (!rows.has(object)) await gallery.deps.storage.remove(object);
      }
      assertKept(await sweepAll(gallery));
      await assertReleased(gallery);
    });

    test('an older database removes neither newer photos nor photos that were restored since', async (context) => {
      const { home, scope } = await makePlace(context, makeHome);
      let gallery = await serve(home);
      let owner = await register(gallery, 'owner');
      const old = await addPhoto(owner, { title: 'Old' });
      const trashed = await addPhoto(owner, { title: 'Trashed' });
      await owner.delete(`/api/photos/${trashed.id}`);
      const ended = await addPhoto(owner, { title: 'Ended' });
      await owner.delete(`/api/photos/${ended.id}`);
      await owner.delete(`/api/trash/${ended.id}`);
      await sweepAll(gallery);
      await gallery.close();
      const bringBack = await saveDatabase(scope, home);

      gallery = await serve(home);
      owner = await logIn(gallery, owner);
      await owner.post(`/api/photos/${trashed.id}/restore`);
      const newer = await addPhoto(owner, { title: 'Newer' });
      await sweepAll(gallery);
      const objects = await listStoredObjects(gallery.deps);
      await gallery.close();
      const newest = await saveDatabase(scope, home);

      gallery = await serve(await bringBack());
      gallery.travel(31 * day);
      const swept = await sweepAll(gallery);
      assertKept(swept);
      assert.equal(swept.purged, 0, 'it was taken out of the trash since');
      assert.deepEqual(await listStoredObjects(gallery.deps), objects);
      await assertHeld(gallery, 'stamp', 3);
      assert.equal(
        (await asVisitor(gallery).get(`/api/photos/${old.id}`)).status,
        200,
        'it is served meanwhile',
      );
      assertKept(await sweepAll(gallery));
      await gallery.close();

      // The right database notices that another database was used, and an operator confirms that all is well.
      const right = await newest();
      gallery = await start(scope, right);
      gallery.travel(twoDays);
      assertKept(await sweepAll(gallery));
      await assertHeld(gallery, 'stamp', 0);
      assert.equal((await command(right, ['orphans', '--remove', '0'], { later: twoDays })).code, 0);
      await sweepAll(gallery);
      await assertReleased(gallery);
      for (const { id } of [old, trashed, newer]) {
        const { path } = assertRead(await asVisitor(gallery).get(`/api/photos/${id}`));
        assert.equal((await asVisitor(gallery).get(path)).status, 200);
      }
      assert.deepEqual(await listStoredObjects(gallery.deps), objects);
    });

    test('removes nothing when a gallery and a copy of its database run side by side', async (context) => {
      const { home, scope } = await makePlace(context, makeHome);
      if (!home.databaseUrl) return context.skip('two databases of SQLite cannot lie beside one folder');
      const before = await serve(home);
      const owner = await register(before, 'owner');
      await addPhoto(owner);
      await sweepAll(before);
      await before.close();
      const copy = await start(scope, await (await saveDatabase(scope, home))());
      const gallery = await start(scope, home);

      await sweepAll(copy);
      await addPhoto(await logIn(gallery, owner));
      const mine = await addPhoto(await logIn(copy, owner));
      await (await logIn(copy, owner)).delete(`/api/photos/${mine.id}`);
      await sweepAll(gallery);
      await sweepAll(copy);
      const objects = await listStoredObjects(gallery.deps);
      for (const one of [gallery, copy]) {
        one.travel(31 * day);
        assertKept(await sweepAll(one));
        assert.equal((await findDeletionLock(one.deps))?.reason, 'stamp');
      }
      assert.deepEqual(await listStoredObjects(gallery.deps), objects);
    });

    test('the deletion lock stops the deletion of replaced versions, also before their hour is over', async (context) => {
      const { home, scope } = await makePlace(context, makeHome);
      const gallery = await start(scope, home);
      const owner = await register(gallery, 'owner');
      const { id } = await addPhoto(owner);
      const rotate = () => owner.post(`/api/photos/${id}/edit`, { action: 'rotate', params: { angle: 90 } });
      // The name of an object that the right database still shows.
      const { path } = assertWritten(await rotate());
      const shown = path.slice('/storage/'.length);
      await setDeletionLock(gallery.deps, { reason: 'adopted', since: 0, objects: null, orphans: null });
      for (let n = 0; n < 7; n++) assertWritten(await rotate());
      assert.ok((await listStoredObjects(gallery.deps)).includes(shown));
      assertKept(await sweepAll(gallery));
      assert.equal((await listStoredObjects(gallery.deps)).length, 9 * 3);

      assert.equal((await command(home, ['orphans', '--remove', '0'])).code, 0);
      await sweepAll(gallery);
      assert.deepEqual(await listStoredObjects(gallery.deps), await listReferencedObjects(gallery.deps));
      assert.ok(!(await listStoredObjects(gallery.deps)).includes(shown));
    });

    test('does not carry out the removal of an object in use', async (context) => {
      const { home, scope } = await makePlace(context, makeHome);
      const gallery = await start(scope, home);
      const { thumb } = await addPhoto(await register(gallery, 'owner'));
      const objects = await listStoredObjects(gallery.deps);
      const rows = objects.map((object) => ({ object, due_time: 0 }));
      await gallery.deps.db.kysely.insertInto('removals').values(rows).execute();
      assert.equal((await sweepAll(gallery)).objects, 0);
      assert.deepEqual(await listStoredObjects(gallery.deps), objects);
      assert.equal((await asVisitor(gallery).get(thumb)).status, 200);
      assert.match(
        gallery.complaints().join(''),
        /objects in use were marked for deletion and were not deleted/,
      );
    });
  });
}

test('at most a hundredth of all objects may be orphans without the deletion lock', async (context) => {
  const scope = createScope();
  context.after(() => scope.end());
  const gallery = await start(scope, await Object.values(locationKinds)[0]!(scope, { isMigrated: true }));
  const why = (objects: number, orphans: number) =>
    findDeletionLockReason(gallery.deps, { objects, orphans });
  assert.equal(await why(1_000_000, 1), 'no-images');
  assert.equal(await why(10, 0), undefined);
  await addPhoto(await register(gallery, 'owner'));
  assert.equal(await why(100, 100), undefined);
  assert.equal(await why(10_099, 101), 'many');
  assert.equal(await why(10_100, 101), undefined);
  assert.equal(await why(3_000_000, 30_001), 'many');
});

async function makePlace(context: TestContext, makeHome: MakeHome) {
  const scope = createScope();
  context.after(() => scope.end());
  return { scope, home: await makeHome(scope, { isMigrated: true }) };
}

async function start(scope: Scope, home: GalleryLocation): Promise<Gallery> {
  const gallery = await serve(home);
  scope.after(() => gallery.close());
  return gallery;
}

function sweepAll({ deps }: Gallery): Promise<MaintenanceCounts> {
  return runMaintenance(deps, { graceSeconds: orphanGraceSeconds });
}

function assertKept({ purged, versions, objects, orphans }: MaintenanceCounts): void {
  assert.deepEqual([purged, versions, objects, orphans], [0, 0, 0, 0]);
}

/** Asserts that the lock is reported in the log at level error and in the metrics. */
async function assertHeld(gallery: Gallery, reason: DeletionLockReason, orphans: number): Promise<void> {
  const lock = await findDeletionLock(gallery.deps);
  assert.deepEqual([lock?.reason, lock?.orphans], [reason, orphans]);
  const said = gallery.complaints().map((line) => JSON.parse(line));
  const line = said.findLast(({ deletionLock }) => deletionLock);
  assert.deepEqual([line?.level, line?.deletionLock.reason], [50, reason]);
  assert.match(line.msg, /deleted: .*lightwell orphans/);
  assert.deepEqual(await figures(gallery), [1, orphans]);
}

async function assertReleased(gallery: Gallery): Promise<void> {
  assert.equal(await findDeletionLock(gallery.deps), undefined);
  assert.deepEqual(await figures(gallery), [0, 0]);
}

async function figures(gallery: Gallery): Promise<(number | undefined)[]> {
  const text = (await asVisitor(gallery).get('/metrics')).bytes.toString();
  const figure = (name: string) => new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  return ['lightwell_removal_held', 'lightwell_removal_held_objects'].map((name) => Number(figure(name)));
}

async function putOrphans({ deps }: Gallery, count: number): Promise<void> {
  const names = Array.from({ length: count }, () => objectName(createObjectKey(), 'thumb', 'webp'));
  await deps.storage.put(names.map((object) => ({ name: object, source: Buffer.from('x') })));
}
