/**
 * Actions of users on a wrong, outdated or half restored database delete nothing that the right database
 * needs.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { UserStatus } from '../../../server/platform/db/states.ts';
import { findDeletionLock } from '../../../server/platform/ownership/deletion-lock.ts';
import { countDueDeletions } from '../../../server/tools/maintenance/rows.ts';
import { assertDone, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { eventually, listStoredObjects } from '../../support/gallery-counts.ts';
import type { Gallery } from '../../support/harness.ts';
import { logIn } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { command, locationKinds } from '../transfer/databases.ts';
import { createScope, type MakeHome } from '../transfer/gallery-locations.ts';
import {
  adoptedDatabase,
  assertNothingLost,
  assertStored,
  databaseWithoutAccounts,
  databaseWithoutPhotos,
  type MakeWrongDatabase,
  olderDatabase,
  rotate,
  setAvatar,
  sweepAll,
  type WrongDatabase,
  whileServed,
} from '../transfer/wrong-databases.ts';

const day = 86_400;
const twoDays = 2 * day;
const timeoutMs = 60_000;

const withAccounts: Record<string, MakeWrongDatabase> = {
  'an older database': olderDatabase,
  "another gallery's database": adoptedDatabase,
  'a half restored database': databaseWithoutPhotos,
};

for (const [name, makeHome] of Object.entries(locationKinds)) {
  describe(`on ${name}`, () => {
    for (const [what, make] of Object.entries(withAccounts)) {
      test(`deleting an account and replacing an avatar on ${what} delete no objects`, async (context) => {
        const wrong = await prepare(context, make, makeHome);
        await whileServed(wrong.home, async (gallery) => {
          const owner = await logIn(gallery, wrong.owner);
          const before = await listStoredObjects(gallery.deps);
          for (let n = 0; n < 2; n++) await setAvatar(owner);
          await sweepForAMonth(gallery);
          const stored = await listStoredObjects(gallery.deps);
          assertStored(stored, before);
          assert.equal((await countDueDeletions(gallery.deps)).removals, 2);

          const admin = await logIn(gallery, wrong.admin);
          assertDone(await admin.delete(`/api/admin/users/${wrong.owner.id}`));
          await eventually(() => assertErased(gallery, wrong.owner.id), timeoutMs);
          await sweepForAMonth(gallery);
          assert.deepEqual(await listStoredObjects(gallery.deps), stored);
          assert.ok((await countDueDeletions(gallery.deps)).removals > 2, 'they wait');
        });
        await assertNothingLost(wrong);
      });
    }

    test('edits and reverts on an older database remove no version, also before its first maintenance run', async (context) => {
      const wrong = await prepare(context, olderDatabase, makeHome);
      const { shown, edited } = wrong.photos;
      await whileServed(wrong.home, async (gallery) => {
        const owner = await logIn(gallery, wrong.owner);
        // Creates more than the five replaced versions that wait an hour, so that the version of the right
        // database is due first.
        for (let n = 0; n < 7; n++) await rotate(owner, edited);
        assertStored(await listStoredObjects(gallery.deps), wrong.named);
        assert.ok((await countDueDeletions(gallery.deps)).removals >= 3, 'they wait');
        await rotate(owner, shown);
        for (const id of [shown, edited]) assertWritten(await owner.post(`/api/photos/${id}/revert`, {}));
        await sweepForAMonth(gallery);
        assertStored(await listStoredObjects(gallery.deps), wrong.named);
      });
      await assertNothingLost(wrong);
    });

    test('failed uploads and edits on an older database remove only the objects that they stored', async (context) => {
      const wrong = await prepare(context, olderDatabase, makeHome);
      await whileServed(wrong.home, async (gallery) => {
        const owner = await logIn(gallery, wrong.owner);
        const before = await listStoredObjects(gallery.deps);
        const allow = (quota_bytes: number) =>
          gallery.deps.db.kysely.updateTable('users').set({ quota_bytes }).execute();
        await allow(1);
        const picture = await createJpeg();
        const edit = { action: 'rotate', params: { angle: 90 } };
        for (let n = 0; n < 2; n++) {
          assertRefused(await owner.upload(picture), 413, 20006);
          assertRefused(await owner.post(`/api/photos/${wrong.photos.edited}/edit`, edit), 413, 20006);
          await allow(1_000_000_000);
          assertRefused(await owner.upload(picture, { album_id: '4711' }), 404, 30001);
          await allow(1);
          assert.deepEqual(await listStoredObjects(gallery.deps), before);
          // Repeats the attempts after maintenance has noticed the wrong database.
          gallery.travel(twoDays);
          await sweepAll(gallery);
        }
        assert.deepEqual(await listStoredObjects(gallery.deps), before);
        assert.deepEqual(await readdir(join(wrong.home.dataDir, 'tmp')), []);
      });
      await assertNothingLost(wrong);
    });

    test('a repairing check before the first maintenance run of an older database removes nothing', async (context) => {
      const wrong = await prepare(context, olderDatabase, makeHome);
      const looked = await command(wrong.home, ['orphans'], { later: twoDays });
      assert.match(looked.out, /3 of \d+ objects have had no row.*another state of this one/s);
      for (const later of [twoDays, 33 * day, 40 * day]) {
        const { code, out } = await command(wrong.home, ['check', '--fast', '--repair'], { later });
        assert.equal(code, 1, out);
        assert.match(
          out,
          /the deletion lock stops deletions until an operator releases it.*another state of this one/,
        );
        assert.match(out, /3 +an object has no row in the database\n(?:.*\n)*0 repaired/);
        assert.equal(/trash/.test(out), later > twoDays, out);
      }
      await whileServed(wrong.home, async (gallery) => {
        assertStored(await listStoredObjects(gallery.deps), wrong.named);
        assert.deepEqual(await countDueDeletions(gallery.deps), { removals: 0, trash: 0 });
        const { trashed } = wrong.photos;
        const rows = gallery.deps.db.kysely
          .selectFrom('photos')
          .select('visibility')
          .where('id', '=', trashed);
        assert.deepEqual(await rows.execute(), [{ visibility: 0 }], 'its row stays as well');
      });
      await assertNothingLost(wrong);
    });

    test('a database whose accounts are missing removes no avatars', async (context) => {
      const wrong = await prepare(context, databaseWithoutAccounts, makeHome);
      await whileServed(wrong.home, async (gallery) => {
        await sweepForAMonth(gallery);
        assertStored(await listStoredObjects(gallery.deps), wrong.named);
        assert.deepEqual((await findDeletionLock(gallery.deps))?.reason, 'no-images');
      });
      const { code, out } = await command(wrong.home, ['check', '--fast', '--repair'], { later: twoDays });
      assert.equal(code, 1);
      assert.match(out, /no images or no accounts/);
      await assertNothingLost(wrong);
    });
  });
}

async function prepare(
  context: TestContext,
  make: MakeWrongDatabase,
  makeHome: MakeHome,
): Promise<WrongDatabase> {
  const scope = createScope();
  context.after(() => scope.end());
  return make(scope, makeHome);
}

/**
 * Runs maintenance two days ahead, and then so far ahead that the trash and all waiting periods have expired.
 */
async function sweepForAMonth(gallery: Gallery): Promise<void> {
  for (const days of [2, 31]) {
    gallery.travel(days * day);
    await sweepAll(gallery);
  }
}

async function assertErased({ deps }: Gallery, id: number): Promise<void> {
  const user = deps.db.kysely.selectFrom('users').select('status').where('id', '=', id);
  assert.deepEqual(await user.execute(), [], `it is ${UserStatus.deleting} for as long as it takes`);
}
