/**
 * Tests the audit log while the database is unavailable, and when the log is full: entries are not lost or
 * counted twice silently.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createAttemptRecorder } from '../../../server/gallery/identity/attempts/recorder.ts';
import { purgeOldAuditAttempts } from '../../../server/gallery/identity/attempts/store.ts';
import { assertRefused } from '../../support/assert-answers.ts';
import { startNextHour } from '../../support/audit-log.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { postFrom, register } from '../../support/people.ts';

const maxKept = 100_000;
const hour = 3600;

describe('attempts that cannot be written', () => {
  let gallery: Gallery;

  before(async () => {
    gallery = await startGallery({ trustProxy: true });
    startNextHour(gallery);
  });
  after(() => gallery.close());

  const run = (text: string) => sql.raw(text).execute(gallery.deps.db.kysely);
  const login = (address: string) =>
    postFrom(gallery, address, '/api/auth/login', { username: 'nobody', password: 'a wrong secret 5' });
  const readRows = (address: string) =>
    gallery.deps.db.kysely
      .selectFrom('audit_log')
      .select(['count', 'create_time', 'last_time'])
      .where('address', 'like', address)
      .execute();
  const warned = (text: string) => gallery.complaints().filter((line) => line.includes(text)).length;

  test('are answered as ever, told of in the log, and written once when the database is back', async () => {
    await run('ALTER TABLE audit_log RENAME TO audit_log_away');
    const begun = gallery.deps.clock();
    for (let n = 0; n < 3; n++) assertRefused(await login('192.0.2.1'), 401, 10003);
    await eventually(async () => assert.ok(warned('attempts could not be written') > 0));
    gallery.travel(60);
    for (let n = 0; n < 4; n++) assertRefused(await login('192.0.2.1'), 401, 10003);
    await run('ALTER TABLE audit_log_away RENAME TO audit_log');
    await eventually(async () => {
      const rows = await readRows('192.0.2.1');
      assert.deepEqual(
        rows.map(({ count }) => Number(count)),
        [7],
      );
      assert.ok(rows[0]!.create_time <= begun + 5 && Number(rows[0]!.last_time) >= begun + 60);
    });
  });

  /** The reason of one attempt among many, which a trigger of the database refuses. */
  const refused = 'reason 250';
  const refuse = () =>
    gallery.deps.config.databaseUrl
      ? run(`CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN
          IF NEW.details LIKE '%${refused}%' THEN RAISE EXCEPTION 'away'; END IF; RETURN NEW; END $$ LANGUAGE plpgsql;
          CREATE TRIGGER refusing BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse()`)
      : run(`CREATE TRIGGER refusing BEFORE INSERT ON audit_log WHEN NEW.details LIKE '%${refused}%'
          BEGIN SELECT RAISE(ABORT, 'away'); END`);

  test('are not counted again when they were written before one failed', async () => {
    await refuse();
    const before = warned('attempts could not be written');
    const recorder = createAttemptRecorder(gallery.deps);
    const attempt = { action: 'token.use', outcome: 'refused', account: undefined, email: '' } as const;
    const rows = () => readRows('198.51.100.1');
    for (let n = 1; n <= 250; n++)
      recorder.record({ ...attempt, reason: `reason ${n}`, address: '198.51.100.1' });
    await eventually(async () => assert.ok(warned('attempts could not be written') > before));
    assert.equal((await rows()).length, 200);
    await run(`DROP TRIGGER refusing${gallery.deps.config.databaseUrl ? ' ON audit_log' : ''}`);
    await recorder.stop();
    const all = await rows();
    assert.deepEqual([all.length, all.every(({ count }) => Number(count) === 1)], [250, true]);
  });

  test('are reported as missing when the server stops meanwhile', async () => {
    const recorder = createAttemptRecorder(gallery.deps);
    await run('ALTER TABLE audit_log RENAME TO audit_log_away');
    const noted = {
      action: 'token.use',
      outcome: 'refused',
      reason: 'badToken',
      account: undefined,
      email: '',
    } as const;
    recorder.record({ ...noted, address: '192.0.2.3' });
    await recorder.stop();
    assert.equal(warned('sign-in attempts are missing in the audit log'), 1);
    await run('ALTER TABLE audit_log_away RENAME TO audit_log');
  });
});

test('leave the latest hundred thousand refusals, all actions, and successes at accounts in the log', async (context) => {
  const gallery = await startGallery();
  context.after(() => gallery.close());
  const { id: ann } = await register(gallery, 'ann');
  const { kysely } = gallery.deps.db;
  const now = gallery.deps.clock();
  const rows = maxKept + 50;
  await sql`
    INSERT INTO audit_log (actor_id, actor, actor_key, action, target_type, target_id, target, details, create_time,
      outcome, address, count, last_time, attempt_key)
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(rows + 1)})
    SELECT CASE WHEN n > ${sql.lit(rows)} THEN ${sql.lit(ann)} END, '', '', 'token.use', 'user', 0, '', '{}', ${sql.lit(now - 2 * hour)} - n,
      CASE WHEN n > ${sql.lit(rows)} THEN 'succeeded' ELSE 'refused' END, '192.0.2.1', 1, ${sql.lit(now)}, 'key ' || n
    FROM numbers`.execute(kysely);
  const acts = kysely.selectFrom('audit_log').select('id').where('attempt_key', 'is', null);
  const kept = await acts.execute();
  assert.equal(await purgeOldAuditAttempts(gallery.deps), 50);
  const { n, oldest } = await kysely
    .selectFrom('audit_log')
    .select((is) => [is.fn.countAll<number>().as('n'), is.fn.min('create_time').as('oldest')])
    .where('outcome', '=', 'refused')
    .executeTakeFirstOrThrow();
  assert.deepEqual([Number(n), Number(oldest)], [maxKept, now - 2 * hour - maxKept]);
  const succeeded = await kysely
    .selectFrom('audit_log')
    .select('id')
    .where('attempt_key', '=', `key ${rows + 1}`)
    .execute();
  assert.equal(succeeded.length, 1, 'what succeeded at an account is bounded by its days alone');
  assert.ok(kept.length > 0);
  assert.deepEqual(await acts.execute(), kept);
  assert.equal(await purgeOldAuditAttempts(gallery.deps), 0);
});
