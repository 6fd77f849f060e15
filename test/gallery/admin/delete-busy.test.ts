/**
 * Tests that an account can be deleted, or an admin demoted, while others change the same rows by an upload,
 * a follow or a like.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { renditionAllowanceBytes, reserveQuota } from '../../../server/gallery/photos/upload/quota.ts';
import { UserStatus } from '../../../server/platform/db/states.ts';
import type { Transaction } from '../../../server/platform/db/tables.ts';
import { errors } from '../../../server/platform/errors/catalogue.ts';
import { assertDone, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Answer, addPhoto, type Person, register, registerAdmin } from '../../support/people.ts';
import { waitForLockWaiter } from '../../support/row-locks.ts';

describe('an account whose row is being changed', () => {
  let gallery: Gallery;
  let root: Person;

  before(async () => {
    gallery = await startGallery();
    root = await registerAdmin(gallery, 'root');
  });
  after(() => gallery.close());

  /**
   * Sends the request while another transaction has changed the rows. Ends the transaction when the request
   * waits for it.
   */
  async function beside(ids: number[], send: () => Promise<Answer>): Promise<Answer> {
    const { promise: asked, resolve } = Promise.withResolvers<Answer>();
    await gallery.deps.db.kysely.transaction().execute(async (transaction: Transaction) => {
      for (const id of ids) {
        await transaction.updateTable('users').set({ used_bytes: 0 }).where('id', '=', id).execute();
      }
      send().then(resolve);
      await waitForLockWaiter(gallery);
    });
    return asked;
  }

  test('is deleted', async () => {
    const vera = await register(gallery, 'vera');
    assertDone(await beside([vera.id], () => root.delete(`/api/admin/users/${vera.id}`)));
    const { kysely } = gallery.deps.db;
    await eventually(async () => {
      const left = await kysely.selectFrom('users').select('id').where('id', '=', vera.id).execute();
      assert.deepEqual(left, []);
    }, 120_000);
  });

  test('is disabled, also where the admin who does it is being changed, too', async () => {
    const will = await register(gallery, 'will');
    const body = { status: 0 };
    assertWritten(await beside([root.id, will.id], () => root.put(`/api/admin/users/${will.id}`, body)));
    assert.equal((await will.get('/api/auth/user')).status, 401);
  });

  test('is erased while it writes, and learns that its token has ended', async () => {
    const photo = await addPhoto(root);
    const writes: [string, object][] = [
      ['/api/albums', { name: 'Late' }],
      [`/api/photos/${photo.id}/like`, {}],
      [`/api/photos/${photo.id}/comments`, { content: 'Late' }],
      [`/api/users/${root.id}/follow`, {}],
    ];
    for (const [n, [path, body]] of writes.entries()) {
      const xena = await register(gallery, `xena${n}`);
      const { promise: asked, resolve } = Promise.withResolvers<Answer>();
      await gallery.deps.db.kysely.transaction().execute(async (transaction: Transaction) => {
        await transaction.deleteFrom('users').where('id', '=', xena.id).execute();
        // Checks that a like waits for the lock on its photo, and an album for the lock on its owner.
        await transaction.updateTable('photos').set({ size: 1 }).where('id', '=', photo.id).execute();
        xena.post(path, body).then(resolve);
        await waitForLockWaiter(gallery);
      });
      assertRefused(await asked, 401, 10006);
    }
  });

  test('takes no more storage once it is being erased', async () => {
    const yves = await register(gallery, 'yves');
    const { kysely } = gallery.deps.db;
    const take = (size: number, gone?: typeof errors.photoNotFound) =>
      kysely
        .transaction()
        .execute((transaction: Transaction) => reserveQuota(transaction, yves.id, { size }, gone));
    const change = (columns: { status?: UserStatus; quota_bytes?: number }) =>
      kysely.updateTable('users').set(columns).where('id', '=', yves.id).execute();
    await change({ quota_bytes: renditionAllowanceBytes + 10 });
    await take(6);
    await assert.rejects(take(6), { code: 20006 });
    await change({ status: UserStatus.deleting });
    await assert.rejects(take(1), { code: 10006 });
    await assert.rejects(take(1, errors.photoNotFound), { code: 20003 });
  });

  test('is demoted: the other admin counts, who is being changed, too', async () => {
    const second = await registerAdmin(gallery, 'second');
    const body = { is_admin: false };
    assertWritten(await beside([root.id, second.id], () => root.put(`/api/admin/users/${second.id}`, body)));
  });
});
