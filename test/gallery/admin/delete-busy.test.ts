/** An account is deleted, and an admin demoted, while others change their rows: by an upload, a follow, a like. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Transaction } from '../../../server/platform/db/tables.ts';
import { assertDone, assertWritten } from '../../support/answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { eventually } from '../../support/holdings.ts';
import { type Answer, type Person, register, registerAdmin } from '../../support/people.ts';
import { someoneWaits } from '../../support/row-locks.ts';

describe('an account whose row is being changed', () => {
  let gallery: Gallery;
  let root: Person;

  before(async () => {
    gallery = await startGallery();
    root = await registerAdmin(gallery, 'root');
  });
  after(() => gallery.close());

  /** Sends it while another transaction has changed the rows, and ends that one once it is waited for. */
  async function beside(ids: number[], send: () => Promise<Answer>): Promise<Answer> {
    const { promise: asked, resolve } = Promise.withResolvers<Answer>();
    await gallery.deps.db.kysely.transaction().execute(async (transaction: Transaction) => {
      for (const id of ids) {
        await transaction.updateTable('users').set({ used_bytes: 0 }).where('id', '=', id).execute();
      }
      send().then(resolve);
      await someoneWaits(gallery);
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

  test('is demoted: the other admin counts, who is being changed, too', async () => {
    const second = await registerAdmin(gallery, 'second');
    const body = { is_admin: false };
    assertWritten(await beside([root.id, second.id], () => root.put(`/api/admin/users/${second.id}`, body)));
  });
});
