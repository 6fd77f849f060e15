/** A process is killed while it upgrades a gallery: what is left is the old one or the new one, and the next start completes it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '../../server/platform/db/index.ts';
import { migrate, migrationNames } from '../../server/platform/db/migrate.ts';
import { openSqlite } from '../../server/platform/db/sqlite/sqlite.ts';
import { fillOldGallery } from '../support/old-gallery.ts';

const rounds = 8;
/** So many more albums and tags, for the upgrade to take long enough to be hit. */
const more = 4000;
const timeoutMs = 60_000;
const file = 'lightwell.db';
const program = resolve(import.meta.dirname, 'upgrade-process.ts');

describe('an upgrade that is killed', () => {
  let folder: string;
  let upgraded: Record<string, unknown[]>;
  let old: Record<string, unknown[]>;
  let durationMs: number;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lightwell-upgrade-kill-'));
    await makeOld(join(folder, 'old'));
    old = dump(join(folder, 'old'));
    const clean = await copyOf('old', 'clean');
    const start = performance.now();
    await upgrade(clean);
    durationMs = performance.now() - start;
    upgraded = dump(clean);
    assert.notDeepEqual(Object.keys(upgraded), Object.keys(old));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const left = { old: 0, upgraded: 0 };

  for (let round = 0; round < rounds; round++) {
    test(`round ${round + 1}`, async (context) => {
      const dataDir = await copyOf('old', `round-${round}`);
      // From the first moments on; the last one comes to its end, whatever the machine's speed is just now.
      const afterMs = round === rounds - 1 ? timeoutMs : (round / rounds) * durationMs;
      await killWhileUpgrading(dataDir, afterMs);

      const found = dump(dataDir);
      const isUpgraded = 'tag_totals' in found;
      left[isUpgraded ? 'upgraded' : 'old']++;
      context.diagnostic(
        `killed after ${Math.round(afterMs)} ms: ${isUpgraded ? 'the new one' : 'the old one'}`,
      );
      assert.deepEqual(found, isUpgraded ? upgraded : old);
      await upgrade(dataDir);
      assert.deepEqual(dump(dataDir), upgraded);
    });
  }

  test('was hit before its end, and came to it', () =>
    assert.ok(left.old > 1 && left.upgraded > 0, JSON.stringify(left)));

  async function copyOf(from: string, to: string): Promise<string> {
    await mkdir(join(folder, to));
    await copyFile(join(folder, from, file), join(folder, to, file));
    return join(folder, to);
  }
});

async function makeOld(dataDir: string): Promise<void> {
  const db = openSqlite(dataDir);
  await migrate(db, migrationNames[0]);
  await fillOldGallery(db);
  const numbers = sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(more)})`;
  await sql`${numbers} INSERT INTO albums (user_id, name, is_public, create_time, update_time)
    SELECT 1, 'Album ' || n, n % 2, n, n FROM numbers`.execute(db.kysely);
  await sql`${numbers} INSERT INTO photo_tags (photo_id, position, name, name_key, user_id, visibility, create_time)
    SELECT 1, 1 + n, 'tag ' || n, 'tag ' || n, 1, 2, n FROM numbers`.execute(db.kysely);
  await db.close();
}

async function upgrade(dataDir: string): Promise<void> {
  const db = await openDatabase({ dataDir, url: undefined, onError: assert.ifError });
  await db.close();
}

async function killWhileUpgrading(dataDir: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [line] = await once(child.stdout, 'data');
  assert.match(String(line), /^begins/);
  const ended = new AbortController();
  await Promise.race([pause(afterMs, undefined, { signal: ended.signal }).catch(() => {}), exited]);
  ended.abort();
  child.kill('SIGKILL');
  const [code, signal] = await exited;
  assert.ok(signal === 'SIGKILL' || code === 0, `it failed by itself: ${code}`);
}

/** Every row of every table, without what follows from the moment of the upgrade: when which migration ran, an hour's end. */
function dump(dataDir: string): Record<string, unknown[]> {
  const database = new DatabaseSync(join(dataDir, file));
  try {
    const tables = database
      .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name`)
      .all();
    assert.deepEqual(
      database
        .prepare('PRAGMA integrity_check')
        .all()
        .map((row) => row.integrity_check),
      ['ok'],
    );
    assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), []);
    return Object.fromEntries(
      tables.map(({ name }) => {
        const columns = name === 'kysely_migration' ? 'name' : '*';
        const rows = database.prepare(`SELECT ${columns} FROM "${name}"`).all();
        return [String(name), rows.map((row) => ('private_time' in row ? withoutTime(row) : row))];
      }),
    );
  } finally {
    database.close();
  }
}

function withoutTime(row: Record<string, unknown>) {
  return { ...row, private_time: row.private_time !== null };
}
