/** Attempts in the audit log are bounded, removed in the end, and counted by several processes together. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { forgetOldAttempts } from '../../../server/gallery/accounts/attempts/store.ts';
import { assertRefused } from '../../support/answers.ts';
import { beginHour } from '../../support/attempts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { eventually } from '../../support/holdings.ts';
import { anonymous, postFrom, register } from '../../support/people.ts';

const day = 86_400;

const tryAt = (gallery: Gallery, address: string, username: string) =>
  postFrom(gallery, address, '/api/auth/login', { username, password: 'a wrong secret 5' });

describe('the bounds of attempts in the audit log', () => {
  let gallery: Gallery;

  before(async () => {
    gallery = await startGallery({ trustProxy: true });
    beginHour(gallery);
  });
  after(() => gallery.close());

  test('who tries names without end from many addresses leaves a bounded number of rows', async () => {
    const { kysely } = gallery.deps.db;
    const accounts = Array.from({ length: 32 }, (_, n) => `flooded${n}`);
    for (const name of accounts) await register(gallery, name);
    for (const name of accounts) await tryAt(gallery, '198.51.100.1', name);
    const addresses = Array.from({ length: 520 }, (_, n) => `2001:db8:${n.toString(16)}::1`);
    const guess = (address: string) =>
      anonymous(gallery).send('GET', '/api/auth/user', {
        headers: { Authorization: `Bearer ${'D'.repeat(43)}`, 'X-Forwarded-For': address },
      });
    for (const address of addresses) assertRefused(await guess(address), 401, 10006);
    await eventually(async () => {
      const rows = await kysely
        .selectFrom('audit_log')
        .select(['count', 'address', 'actor_id'])
        .where('outcome', '!=', 'succeeded')
        .execute();
      assert.equal(
        rows.reduce((sum, row) => sum + Number(row.count), 0),
        32 + 520,
      );
      const ofOne = rows.filter(({ address }) => address === '198.51.100.1');
      assert.ok(rows.length <= 502, `${rows.length} rows`);
      assert.equal(ofOne.length, 31, 'thirty accounts, and the others together');
      assert.ok(rows.some(({ address, count }) => address === '' && Number(count) > 10));
      assert.ok(rows.some(({ address }) => address === '2001:db8:1:0::/64'));
    });
  });

  test('sign-ins and refusals go after ninety days, and acts stay', async () => {
    const { kysely } = gallery.deps.db;
    const acts = kysely.selectFrom('audit_log').select('id').where('attempt_key', 'is', null).orderBy('id');
    const attempts = kysely.selectFrom('audit_log').select('id').where('attempt_key', 'is not', null);
    const kept = await acts.execute();
    gallery.travel(88 * day);
    assert.equal(await forgetOldAttempts(gallery.deps), 0);
    gallery.travel(3 * day);
    const n = (await attempts.execute()).length;
    assert.equal(await forgetOldAttempts(gallery.deps), n);
    assert.deepEqual(await attempts.execute(), []);
    assert.deepEqual(await acts.execute(), kept);
  });

  test('nothing of all this went wrong on the server', () => assert.deepEqual(gallery.complaints(), []));
});

test('two processes on one database count together, and write what waits when they stop', async (context) => {
  const one = await startGallery({ trustProxy: true });
  context.after(() => one.close());
  const { dataDir, databaseUrl, storageUrl } = one.deps.config;
  const place = storageUrl && { storageUrl, storageKeys: one.deps.config.storageKeys };
  beginHour(one);
  const other = await startGallery(
    { trustProxy: true, dataDir, databaseUrl, ...place },
    { clock: one.deps.clock },
  );
  await register(one, 'both');
  await Promise.all(Array.from({ length: 12 }, (_, n) => tryAt(n % 2 ? one : other, '192.0.2.1', 'both')));
  await other.close();
  await eventually(async () => {
    const rows = await one.deps.db.kysely
      .selectFrom('audit_log')
      .select(['actor', 'count'])
      .where('action', '=', 'login.password')
      .where('outcome', '=', 'refused')
      .execute();
    assert.deepEqual(
      rows.map(({ actor, count }) => [actor, Number(count)]),
      [['both', 12]],
    );
  });
});
