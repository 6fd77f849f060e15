/** Attempts in the audit log are bounded, removed in the end, and counted by several processes together. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { forgetOldAttempts } from '../../../server/gallery/accounts/attempts/store.ts';
import { assertRefused } from '../../support/answers.ts';
import { beginHour, readLog } from '../../support/attempts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { eventually } from '../../support/holdings.ts';
import { anonymous, password, postFrom, register, registerAdmin } from '../../support/people.ts';

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

  const guess = (address: string) =>
    anonymous(gallery).send('GET', '/api/auth/user', {
      headers: { Authorization: `Bearer ${'D'.repeat(43)}`, 'X-Forwarded-For': address },
    });

  test('noise without an account hides no account that was tried, from one address and from many', async () => {
    const root = await registerAdmin(gallery, 'root');
    const doors = ['reset', 'email/confirm', 'login/second', 'register', 'passkeys/login'];
    for (const door of doors)
      for (const body of [{}, { token: 'a'.repeat(43), password: 'a wrong secret 5' }])
        await postFrom(gallery, '203.0.113.50', `/api/auth/${door}`, body);
    const signedIn = ['tokens', 'totp', 'totp/confirm', 'totp/recovery-codes', 'oidc/link', 'passkeys'];
    const moreNoise = [...signedIn, 'passkeys/options'].flatMap((door) => [`${door}?a`, `${door}?b`]);
    for (const door of moreNoise)
      for (const authorization of [undefined, `Bearer ${'D'.repeat(43)}`])
        await anonymous(gallery).send('POST', `/api/auth/${door}`, {
          headers: {
            ...(authorization && { Authorization: authorization }),
            'X-Forwarded-For': '203.0.113.50',
          },
        });
    for (let n = 0; n < 520; n++) await guess(`2001:db8:${(n + 0x1000).toString(16)}::1`);
    await register(gallery, 'hidden');
    for (let n = 0; n < 10; n++) await tryAt(gallery, '203.0.113.50', 'hidden');
    await eventually(async () => {
      const entries = await readLog(root, 'actor=hidden&outcome=refused');
      assert.deepEqual(
        entries.map(({ action, address, count }) => [action, address, count]),
        [['login.password', '203.0.113.50', 10]],
      );
    });
    gallery.travel(3600);
  });

  test('who tries names without end from many addresses leaves a bounded number of rows', async () => {
    const { kysely } = gallery.deps.db;
    const began = gallery.deps.clock();
    const accounts = Array.from({ length: 62 }, (_, n) => `flooded${n}`);
    for (const name of accounts) await register(gallery, name);
    for (const name of accounts) await tryAt(gallery, '198.51.100.1', name);
    const addresses = Array.from({ length: 520 }, (_, n) => `2001:db8:${n.toString(16)}::1`);
    for (const address of addresses) assertRefused(await guess(address), 401, 10006);
    await eventually(async () => {
      const rows = await kysely
        .selectFrom('audit_log')
        .select(['count', 'address', 'actor_id'])
        .where('outcome', '!=', 'succeeded')
        .where('create_time', '>=', began)
        .execute();
      assert.equal(
        rows.reduce((sum, row) => sum + Number(row.count), 0),
        62 + 520,
      );
      const ofOne = rows.filter(({ address }) => address === '198.51.100.1');
      assert.ok(rows.length <= 562, `${rows.length} rows`);
      assert.equal(ofOne.length, 61, 'sixty accounts, and the others together');
      assert.ok(rows.some(({ address, count }) => address === '' && Number(count) > 10));
      assert.ok(rows.some(({ address }) => address === '2001:db8:1:0::/64'));
    });
  });

  test('nor does noise with accounts: whom one attacks is told, if not from where', async () => {
    gallery.travel(3600);
    const began = gallery.deps.clock();
    const names = Array.from({ length: 51 }, (_, n) => `flooded${n}`);
    // 13 addresses at 40 accounts each: there is no room for more kinds.
    for (let n = 0; n < 13; n++)
      for (const name of names.slice(0, 40))
        await tryAt(gallery, `2001:db8:${(n + 0x3000).toString(16)}::1`, name);
    for (let n = 0; n < 3; n++) await tryAt(gallery, '203.0.113.77', names[50]!);
    await eventually(async () => {
      const rows = await gallery.deps.db.kysely
        .selectFrom('audit_log')
        .select(['count', 'address'])
        .where('actor', '=', names[50]!)
        .where('outcome', '=', 'refused')
        .where('create_time', '>=', began)
        .execute();
      assert.deepEqual(
        rows.map(({ count, address }) => [Number(count), address]),
        [[3, '']],
      );
    });
  });

  test('what one account does from addresses without end leaves a bounded number of rows', async () => {
    gallery.travel(3600);
    const began = gallery.deps.clock();
    await register(gallery, 'wanderer');
    const body = { username: 'wanderer', password };
    for (let n = 0; n < 40; n++) {
      const address = `2001:db8:${(n + 0x4000).toString(16)}::1`;
      assert.equal((await postFrom(gallery, address, '/api/auth/login', body)).status, 200);
    }
    await eventually(async () => {
      const rows = await gallery.deps.db.kysely
        .selectFrom('audit_log')
        .select(['count', 'address'])
        .where('actor', '=', 'wanderer')
        .where('action', '=', 'login.password')
        .where('create_time', '>=', began)
        .execute();
      assert.equal(
        rows.reduce((sum, { count }) => sum + Number(count), 0),
        40,
      );
      assert.ok(rows.length <= 11, `${rows.length} rows`);
    });
  });

  test('who asks for new passwords of made-up addresses without end leaves a bounded number of rows', async () => {
    gallery.travel(3600);
    gallery.deps.config.mail = { url: 'smtp://127.0.0.1:9', from: 'gallery@example.org' };
    for (let n = 0; n < 620; n++) {
      const address = `2001:db8:${(n + 0x2000).toString(16)}::1`;
      const asked = await postFrom(gallery, address, '/api/auth/forgot', {
        email: `nobody-${n}@example.org`,
      });
      assert.equal(asked.status, 200);
    }
    gallery.deps.config.mail = undefined;
    await eventually(async () => {
      const rows = await gallery.deps.db.kysely
        .selectFrom('audit_log')
        .select('count')
        .where('action', '=', 'password.forgot')
        .execute();
      assert.equal(
        rows.reduce((sum, row) => sum + Number(row.count), 0),
        620,
      );
      assert.ok(rows.length <= 502, `${rows.length} rows`);
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
