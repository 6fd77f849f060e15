/**
 * The audit log keeps the actions of users on their own account forever, so the number of such actions is
 * limited.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { recordOwnAccountAct } from '../../../server/gallery/moderation/audit.ts';
import { assertDone, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, password, register } from '../../support/people.ts';

const perDay = 100;
const maxShares = 1000;

let gallery: Gallery;
before(async () => {
  gallery = await startGallery();
});
after(() => gallery?.close());

/** Writes audit entries of actions an hour ago. */
async function didBefore({ id }: Person, action: 'key.create' | 'user.update', times: number) {
  const clock = () => gallery.deps.clock() - 3600;
  await gallery.deps.db.kysely.transaction().execute(async (transaction) => {
    for (let n = 0; n < times; n++) await recordOwnAccountAct({ clock }, transaction, id, action);
  });
}

suite('an account', () => {
  test('makes a hundred keys a day, and may always delete them', async () => {
    const ann = await register(gallery, 'ann');
    await didBefore(ann, 'key.create', perDay - 1);
    const key = assertWritten(await ann.post('/api/auth/tokens', { name: 'the last' }));
    const refused = await ann.post('/api/auth/tokens', { name: 'one more' });
    assertRefused(refused, 429, 429);
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 80_000 && wait <= 82_800, String(wait));
    assertDone(await ann.delete(`/api/auth/tokens/${key.id}`));
    const email = { email: 'else@example.org', password };
    assert.equal((await ann.put('/api/auth/email', email)).status, 200, 'other acts are counted apart');
    gallery.travel(wait);
    assertWritten(await ann.post('/api/auth/tokens', { name: 'the next day' }));
  });

  test('changes its email and password a hundred times a day together', async () => {
    const ben = await register(gallery, 'ben');
    await didBefore(ben, 'user.update', perDay - 1);
    const change = (email: string) => ben.put('/api/auth/email', { email, password });
    assert.equal((await change('first@example.org')).status, 200);
    assertRefused(await change('second@example.org'), 429, 429);
    const passwords = { old_password: password, new_password: 'another horse 8' };
    assertRefused(await ben.put('/api/auth/password', passwords), 429, 429);
    assertWritten(await ben.post('/api/auth/tokens', { name: 'counted apart' }));
  });

  test('has a thousand links at most, and is told what to do', async () => {
    const cyd = await register(gallery, 'cyd');
    const { id } = await addPhoto(cyd);
    const make = () => cyd.post(`/api/photos/${id}/share`, { type: 'link' });
    const first = assertWritten(await make());
    const { kysely } = gallery.deps.db;
    const { id: _, ...row } = await kysely
      .selectFrom('shares')
      .selectAll()
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow();
    const others = Array.from({ length: maxShares - 2 }, (_, n) => ({ ...row, token: `token ${n}` }));
    for (let at = 0; at < others.length; at += 250) {
      await kysely
        .insertInto('shares')
        .values(others.slice(at, at + 250))
        .execute();
    }
    const both = await Promise.all([make(), make()]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400]);
    const refused = await make();
    assertRefused(refused, 400, 400, ['type']);
    assert.match(refused.body.message, /already 1000 links\. Revoke one first/);
    assertDone(await cyd.delete(`/api/shares/${first.id}`));
    assertWritten(await make());
  });
});
