/**
 * An interrupted move or restore, or one into a location with another gallery's photos, removes nothing and
 * unlocks nothing.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { findDeletionLock } from '../../../server/platform/ownership/deletion-lock.ts';
import { openStorage } from '../../../server/platform/storage/open.ts';
import {
  type GalleryLocation,
  selectStorageOptions,
} from '../../../server/tools/transfer/gallery-location.ts';
import { moveGallery } from '../../../server/tools/transfer/move/move.ts';
import { silentProgress, type TransferProgress } from '../../../server/tools/transfer/progress.ts';
import { restoreBackupArchive } from '../../../server/tools/transfer/restore/restore.ts';
import { listStoredObjects } from '../../support/gallery-counts.ts';
import { addPhoto, logIn, register } from '../../support/people.ts';
import { backUp } from './archives.ts';
import { command, locationKinds, loseDatabase } from './databases.ts';
import { createScope, sqliteHome } from './gallery-locations.ts';
import {
  assertNothingLost,
  assertStored,
  fillGallery,
  listNamedObjects,
  sweepAll,
  whileServed,
} from './wrong-databases.ts';

const twoDays = 2 * 86_400;

for (const [name, makeHome] of Object.entries(locationKinds)) {
  describe(`on ${name}`, () => {
    test('a half moved gallery is left alone by every command until the move has ended', async (context) => {
      const { scope, from, named } = await prepare(context);
      const to = await makeHome(scope);
      for (const at of ['begin', 'end'] as const) {
        const progress = cutOff('pictures', at);
        await assert.rejects(moveGallery({ from, to, acceptDamage: false, progress }), /cut off/);
        assert.equal((await stored(to)).length > 0, at === 'end');
      }
      await assertLeftAlone(to, 'move');
      await moveGallery({ from, to, acceptDamage: false, progress: silentProgress });
      await assertArrived(to, named);
      await assertArrived(from, named);
    });

    test('a half restored gallery is left alone by every command, and by an older archive', async (context) => {
      const { scope, from, named } = await prepare(context);
      const [older, file] = [join(from.dataDir, 'older.tar'), join(from.dataDir, 'newer.tar')];
      await whileServed(from, (gallery) => backUp(gallery, older).then(() => {}));
      const newer = await addOne(from);
      await whileServed(from, (gallery) => backUp(gallery, file).then(() => {}));
      const to = await makeHome(scope);
      await assert.rejects(restoreBackupArchive(file, to, cutOff('bytes restored', 'end')), /cut off/);
      await assertLeftAlone(to, 'restore');
      const before = await stored(to);
      await assert.rejects(
        restoreBackupArchive(older, to, silentProgress),
        /belongs to an unfinished move or restore/,
      );
      assert.deepEqual(await stored(to), before);
      await restoreBackupArchive(file, to, silentProgress);
      await assertArrived(to, [...named, ...newer].sort());
    });

    test('neither is carried beside the photos of another gallery, which lose nothing', async (context) => {
      const { scope, from } = await prepare(context);
      const file = join(from.dataDir, 'older.tar');
      await whileServed(from, (gallery) => backUp(gallery, file).then(() => {}));
      const other = await makeHome(scope);
      const { named } = await fillGallery(other);
      const into = async (to: GalleryLocation, message: RegExp) => {
        await assert.rejects(
          moveGallery({ from, to, acceptDamage: true, progress: silentProgress }),
          message,
        );
        await assert.rejects(restoreBackupArchive(file, to, silentProgress), message);
        assert.deepEqual(await stored(to), named);
      };
      await into(other, /the target database is not empty/);
      if (other.databaseUrl) await assertArrived(other, named);
      await into(await loseDatabase(scope, other), /the target storage already holds photos/);
    });

    test('a gallery that shared an empty storage with the target removes nothing of what was moved', async (context) => {
      const { scope, from, named } = await prepare(context);
      const other = await makeHome(scope);
      if (!other.databaseUrl) return context.skip('two databases of SQLite cannot lie beside one folder');
      await whileServed(other, async (gallery) => {
        await register(gallery, 'somebody');
        await sweepAll(gallery);
      });
      const to = await loseDatabase(scope, other);
      await moveGallery({ from, to, acceptDamage: false, progress: silentProgress });
      await whileServed(other, async (gallery) => {
        await addPhoto(await logIn(gallery, await register(gallery, 'newcomer')));
        gallery.travel(twoDays);
        for (let n = 0; n < 2; n++) await sweepAll(gallery);
        assertStored(await listStoredObjects(gallery.deps), named);
        assert.equal((await findDeletionLock(gallery.deps))?.reason, 'stamp');
      });
      await assertArrived(to, named);
    });
  });
}

async function prepare(context: TestContext) {
  const scope = createScope();
  context.after(() => scope.end());
  const from = await sqliteHome(scope, { isMigrated: true });
  const { named } = await fillGallery(from);
  return { scope, from, named };
}

/** Throws at the start or end of this part of a transfer, which looks like a killed process. */
function cutOff(where: string, at: 'begin' | 'end'): TransferProgress {
  let part = '';
  const cut = (now: 'begin' | 'end') => {
    if (part === where && now === at) throw new Error('cut off');
  };
  return {
    ...silentProgress,
    begin(next) {
      part = next;
      cut('begin');
    },
    end: () => cut('end'),
  };
}

/** Asserts that two days later no server starts, and no command repairs, deletes or adopts anything. */
async function assertLeftAlone(home: GalleryLocation, work: string): Promise<void> {
  const message = new RegExp(`A ${work} into this gallery is unfinished`);
  await assert.rejects(
    whileServed(home, async () => {}),
    message,
  );
  const before = await stored(home);
  for (const args of [
    ['check', '--fast', '--repair'],
    ['orphans', '--remove', '1000'],
    ['user', 'create', 'eve', 'eve@example.org'],
  ]) {
    const { code, err } = await command(home, args, { later: twoDays, input: 'a good password' });
    assert.notEqual(code, 0, args.join(' '));
    assert.match(err, message);
  }
  assert.match((await command(home, ['adopt', '--yes'])).out, /already belong together/);
  assert.deepEqual(await stored(home), before);
}

async function assertArrived(home: GalleryLocation, named: string[]): Promise<void> {
  await assertNothingLost({ named, right: async () => home });
}

async function addOne(home: GalleryLocation): Promise<string[]> {
  let added: string[] = [];
  await whileServed(home, async (gallery) => {
    const before = new Set(await listNamedObjects(gallery.deps));
    await addPhoto(await register(gallery, 'third'));
    added = (await listNamedObjects(gallery.deps)).filter((object) => !before.has(object));
  });
  return added;
}

async function stored(home: GalleryLocation): Promise<string[]> {
  return listStoredObjects({
    storage: await openStorage({ ...selectStorageOptions(home), isReadOnly: true }),
  });
}
