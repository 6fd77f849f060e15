/**
 * Tests that the server locks an account before its data, for owners and admins alike. With different orders,
 * two requests would deadlock.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { confirmSecondFactor, deleteSecondFactor } from '../../../server/gallery/accounts/factor/totp.ts';
import { revokeCredentials } from '../../../server/gallery/accounts/keys/revoke-access.ts';
import { lockUserAndAdmins } from '../../../server/gallery/accounts/last-admin.ts';
import { deletePasskey } from '../../../server/gallery/accounts/passkeys/passkeys.ts';
import type { Transaction } from '../../../server/platform/db/tables.ts';
import { assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { type Person, password, register } from '../../support/people.ts';
import { failInsteadOfWaiting, waitForLockWaiter } from '../../support/row-locks.ts';

describe('what ends at once', () => {
  let gallery: Gallery;
  let owner: Person;

  before(async () => {
    // Configures mail, because mail to an account locks the account's row, too.
    const mail = { url: 'smtp://127.0.0.1:9', from: 'gallery@example.org' };
    gallery = await startGallery({ mail, baseUrl: 'https://photos.example.org' });
    owner = await register(gallery, 'owner');
  });
  after(() => gallery.close());

  /**
   * Starts an action of the owner while an admin's transaction locks the account. Returns the result or error
   * of the owner's action.
   */
  async function meanwhile<Result>(
    ownAct: () => Promise<Result>,
    adminsAct: (transaction: Transaction) => Promise<unknown>,
  ): Promise<Result | Error> {
    let own: Promise<Result | Error>;
    await gallery.deps.db.kysely.transaction().execute(async (transaction) => {
      await lockUserAndAdmins(transaction, owner.id);
      own = ownAct().catch((error: Error) => error);
      await waitForLockWaiter(gallery);
      await failInsteadOfWaiting(transaction);
      await adminsAct(transaction);
    });
    return own!;
  }

  test('a passkey that its owner and an admin delete at once is deleted once', async () => {
    const { id } = await gallery.deps.db.kysely
      .insertInto('passkeys')
      .values({
        ...{ user_id: owner.id, name: 'telephone', credential_id: 'c', public_key: 'k', counter: 0 },
        ...{ rp_id: 'photos.example.org', is_synced: 0, create_time: 1, last_used_time: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const ended = await meanwhile(
      () => deletePasskey(gallery.deps, owner.id, { id, language: 'en' }),
      async (transaction) => {
        const { passkeys } = await revokeCredentials(gallery.deps, transaction, owner.id, 'en');
        assert.equal(passkeys, 1);
      },
    );
    assert.match(String(ended), /does not exist/);
  });

  test('a second factor that its owner turns on while an admin turns it off is off', async () => {
    const { secret } = assertWritten(await owner.post('/api/auth/totp', { password }));
    const timestamp = gallery.deps.clock() * 1000;
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });
    const { id: sessionId } = await gallery.deps.db.kysely
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', owner.id)
      .executeTakeFirstOrThrow();
    const ended = await meanwhile(
      () => confirmSecondFactor(gallery.deps, { id: owner.id, sessionId }, { code, language: 'en' }),
      async (transaction) => assert.equal(await deleteSecondFactor(transaction, owner.id), true),
    );
    assert.match(String(ended), /code is wrong/);
  });
});
