/**
 * Login attempts in the audit log are limited in number, deleted in the end, and counted across several
 * processes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import { createAttemptRecorder } from '../../../server/gallery/identity/attempts/recorder.ts';
import {
  type AuditedAttempt,
  purgeOldAuditAttempts,
} from '../../../server/gallery/identity/attempts/store.ts';
import { readAuditLog, startNextHour } from '../../support/audit-log.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { postFrom, register, registerAdmin } from '../../support/people.ts';

const day = 86_400;

const tryAt = (gallery: Gallery, address: string, username: string) =>
  postFrom(gallery, address, '/api/auth/login', { username, password: 'a wrong secret 5' });

describe('the bounds of attempts in the audit log', () => {
  let gallery: Gallery;
  const lines: string[] = [];

  before(async () => {
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    gallery = await startGallery({ trustProxy: true }, { log });
    startNextHour(gallery);
  });
  after(() => gallery.close());

  const known = { reason: 'wrongLogin', email: '', action: 'login.password', outcome: 'refused' } as const;
  const record = async (attempts: AuditedAttempt[]) => {
    const recorder = createAttemptRecorder(gallery.deps);
    for (const attempt of attempts) recorder.record(attempt);
    await recorder.stop();
  };
  const refusedRows = () =>
    gallery.deps.db.kysely
      .selectFrom('audit_log')
      .select(['actor_id', 'address', 'count'])
      .where('create_time', '>', gallery.deps.clock() - 1800)
      .where('outcome', '=', 'refused')
      .execute();

  test('attempts at an account are one entry, with their address where it is the same', async () => {
    const root = await registerAdmin(gallery, 'root');
    await register(gallery, 'hidden');
    for (let n = 0; n < 5; n++) await tryAt(gallery, '203.0.113.50', 'hidden');
    const assertOnly = (address: string, count: number) =>
      eventually(async () => {
        const entries = await readAuditLog(root, 'actor=hidden&outcome=refused');
        assert.deepEqual(
          entries.map((entry) => [entry.action, entry.address, entry.count]),
          [['login.password', address, count]],
        );
      });
    await assertOnly('203.0.113.50', 5);
    await tryAt(gallery, '2001:db8:1::1', 'hidden');
    await assertOnly('', 6);
    await tryAt(gallery, '203.0.113.50', 'hidden');
    await assertOnly('', 7);
  });

  test('the server’s log has the address of each attempt, and nothing that was typed', async () => {
    const attempts = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'attempt');
    const refused = attempts.filter(({ outcome }) => outcome === 'refused');
    assert.deepEqual(
      refused.map(({ action, address }) => [action, address]).slice(-3),
      ['203.0.113.50', '2001:db8:1:0::/64', '203.0.113.50'].map((address) => ['login.password', address]),
    );
    assert.ok(!lines.some((line) => line.includes('a wrong secret 5')));
  });

  test('noise without an account hides no account that was tried', async () => {
    gallery.travel(3600);
    const noise = Array.from({ length: 5000 }, (_, n) => ({
      ...{ ...known, account: undefined, address: `2001:db8:${n.toString(16)}:0::/64` },
      ...(n % 2 && { email: `nobody-${n}@example.org` }),
    }));
    const { id } = await register(gallery, 'victim');
    await record([...noise, { ...known, account: id, address: '203.0.113.77' }]);
    const rows = await refusedRows();
    assert.deepEqual(
      rows.map((row) => [row.actor_id, row.address, Number(row.count)]).sort(),
      [
        [id, '203.0.113.77', 1],
        [null, '', 5000],
      ].sort(),
    );
  });

  test('attempts at accounts without end leave a bounded number of entries, and each is counted', async () => {
    gallery.travel(3600);
    const { kysely } = gallery.deps.db;
    const { id: _, ...like } = await kysely
      .selectFrom('users')
      .selectAll()
      .where('username', '=', 'victim')
      .executeTakeFirstOrThrow();
    const names = Array.from({ length: 2500 }, (_, n) => `flooded${n}`);
    const ids: number[] = [];
    while (names.length > 0) {
      const users = names.splice(0, 500).map((name) => ({
        ...{
          ...like,
          username: name,
          username_key: name,
          email: `${name}@example.org`,
          email_key: `${name}@example.org`,
        },
      }));
      const made = await kysely.insertInto('users').values(users).returning('id').execute();
      ids.push(...made.map(({ id }) => id));
    }
    const attempts = ids.map((account) => ({ ...known, account, address: '198.51.100.1' }));
    const recorder = createAttemptRecorder(gallery.deps);
    for (const attempt of attempts.slice(0, 1500)) recorder.record(attempt);
    await eventually(async () => assert.equal((await refusedRows()).length, 1500));
    for (const attempt of attempts.slice(1500)) recorder.record(attempt);
    await recorder.stop();
    const rows = await refusedRows();
    assert.equal(rows.length, 2001);
    assert.equal(
      rows.reduce((sum, { count }) => sum + Number(count), 0),
      2500,
    );
  });

  test('sign-ins and refusals go after ninety days, and acts stay', async () => {
    const { kysely } = gallery.deps.db;
    const acts = kysely.selectFrom('audit_log').select('id').where('attempt_key', 'is', null).orderBy('id');
    const attempts = kysely.selectFrom('audit_log').select('id').where('attempt_key', 'is not', null);
    const kept = await acts.execute();
    gallery.travel(88 * day);
    assert.equal(await purgeOldAuditAttempts(gallery.deps), 0);
    gallery.travel(3 * day);
    const n = (await attempts.execute()).length;
    assert.equal(await purgeOldAuditAttempts(gallery.deps), n);
    assert.deepEqual(await attempts.execute(), []);
    assert.deepEqual(await acts.execute(), kept);
  });

  test('the server logged no error during these tests', () => {
    assert.deepEqual(
      lines.filter((line) => JSON.parse(line).level >= 40),
      [],
    );
  });
});

test('two processes on one database count together, and write what waits when they stop', async (context) => {
  const one = await startGallery({ trustProxy: true });
  context.after(() => one.close());
  const { dataDir, databaseUrl, storageUrl } = one.deps.config;
  const place = storageUrl && { storageUrl, storageKeys: one.deps.config.storageKeys };
  startNextHour(one);
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
