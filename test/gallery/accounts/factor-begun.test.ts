/**
 * Tests a second factor whose setup has begun but is not confirmed: which events cancel the setup, and who
 * can confirm it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { confirmSecondFactor } from '../../../server/gallery/accounts/factor/totp.ts';
import { errors } from '../../../server/platform/errors/catalogue.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, logIn, type Person, password, register, registerAdmin } from '../../support/people.ts';

const other = 'another horse 8';

describe('a second factor that is begun', () => {
  let gallery: Gallery;
  let root: Person;

  before(async () => {
    gallery = await startGallery();
    root = await registerAdmin(gallery, 'root');
  });
  after(() => gallery.close());

  /** Begins the setup of a second factor, and returns a function that generates its codes. */
  async function begin(who: Person, secretWord = password): Promise<() => string> {
    const { secret } = assertWritten(await who.post('/api/auth/totp', { password: secretWord }));
    return () => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: gallery.deps.clock() * 1000 });
  }

  test('is discarded with a new password: a person who knew the old one turns on none', async () => {
    const ways: Record<string, (who: Person) => Promise<unknown>> = {
      async owner(who) {
        assertDone(await who.put('/api/auth/password', { old_password: password, new_password: other }));
      },
      async link(who) {
        const { url } = assertWritten(await root.post(`/api/admin/users/${who.id}/reset-link`));
        const reset = { token: url.split('#')[1], password: other };
        assertDone(await asVisitor(gallery).post('/api/auth/reset', reset));
      },
      async admin(who) {
        assertWritten(await root.put(`/api/admin/users/${who.id}`, { password: other }));
      },
    };
    for (const [name, change] of Object.entries(ways)) {
      const who = await register(gallery, name);
      const code = await begin(await logIn(gallery, who));
      await change(who);
      const session = await logIn(gallery, who, other);
      assertRefused(await session.post('/api/auth/totp/confirm', { code: code() }), 400, 10009);
      assert.equal(assertRead(await session.get('/api/auth/totp')).is_on, false);
      const fresh = await begin(session, other);
      assertWritten(await session.post('/api/auth/totp/confirm', { code: fresh() }));
      assertDone(await session.put('/api/auth/password', { old_password: other, new_password: password }));
      assert.equal(assertRead(await session.get('/api/auth/totp')).is_on, true, 'one that is on stays');
    }
  });

  test('is not turned on by a session that has ended meanwhile', async () => {
    const who = await register(gallery, 'robbed');
    const code = await begin(who);
    const { id: sessionId } = await gallery.deps.db.kysely
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', who.id)
      .executeTakeFirstOrThrow();
    assertDone(await who.post('/api/auth/logout'));
    const given = { code: code(), language: 'en' } as const;
    await assert.rejects(confirmSecondFactor(gallery.deps, { id: who.id, sessionId }, given), {
      code: errors.badToken().code,
    });
    assert.equal(assertRead(await (await logIn(gallery, who)).get('/api/auth/totp')).is_on, false);
  });
});
