/**
 * Kills a process while it upgrades a gallery. Each migration must be applied completely or not at all, and
 * the next start continues.
 */
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
import { migrateSchema, migrationNames } from '../../server/platform/db/migrate.ts';
import { openSqlite } from '../../server/platform/db/sqlite/sqlite.ts';
import { type Dump, dumpRows, makeOldGallery } from '../support/old-gallery.ts';
import { describeSchema, type Schema } from '../support/schema.ts';

const rounds = 8;
/** Number of additional albums and tags, so that the upgrade takes long enough for the kill to hit it. */
const more = 4000;
const timeoutMs = 60_000;
const file = 'lightwell.db';
const program = resolve(import.meta.dirname, 'upgrade-process.ts');

type State = { schema: Schema; rows: Dump };

describe('an upgrade that is killed', {
  skip: migrationNames.length < 2 && 'there is no migration yet',
}, () => {
  let folder: string;
  /** The expected contents of the gallery after each migration. */
  const states: State[] = [];
  let durationMs: number;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lightwell-upgrade-kill-'));
    const old = join(folder, 'old');
    await makeOld(old);
    const clean = await copyGallery('clean');
    const start = performance.now();
    for (const name of migrationNames) states.push(await upgrade(clean, name));
    durationMs = performance.now() - start;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (let round = 0; round < rounds; round++) {
    test(`completes at the next start (round ${round + 1})`, async (context) => {
      const dataDir = await copyGallery(`round-${round}`);
      // The rounds kill the upgrade at increasing times. The last round lets the upgrade finish, however slow
      // the machine is.
      const afterMs = round === rounds - 1 ? timeoutMs : (round / rounds) * durationMs;
      await killWhileUpgrading(dataDir, afterMs);
      assertSound(dataDir);
      const last = migrationsIn(dataDir).at(-1)!;
      context.diagnostic(`killed after ${Math.round(afterMs)} ms, at ${last}`);
      // All migrations up to `last` are applied, so this call only reads the rows that the killed process
      // wrote.
      assert.deepEqual(await upgrade(dataDir, last), states[migrationNames.indexOf(last)]);
      assert.deepEqual(await upgrade(dataDir), states.at(-1));
    });
  }

  async function copyGallery(to: string): Promise<string> {
    await mkdir(join(folder, to));
    await copyFile(join(folder, 'old', file), join(folder, to, file));
    return join(folder, to);
  }
});

async function makeOld(dataDir: string): Promise<void> {
  const db = openSqlite(dataDir);
  await makeOldGallery(db);
  const numbers = sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(more)})`;
  await sql`${numbers} INSERT INTO albums (user_id, name, is_public, create_time, update_time)
    SELECT 1, 'Album ' || n, n % 2, n, n FROM numbers`.execute(db.kysely);
  await sql`${numbers} INSERT INTO photo_tags (photo_id, position, name, name_key, user_id, visibility, create_time)
    SELECT 1, 1 + n, 'tag ' || n, 'tag ' || n, 1, 2, n FROM numbers`.execute(db.kysely);
  await db.close();
}

async function upgrade(dataDir: string, last?: string): Promise<State> {
  const db = openSqlite(dataDir);
  try {
    await migrateSchema(db, last);
    return { schema: await describeSchema(db), rows: await dumpRows(db) };
  } finally {
    await db.close();
  }
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

function assertSound(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, file));
  try {
    assert.deepEqual(
      database
        .prepare('PRAGMA integrity_check')
        .all()
        .map((row) => row.integrity_check),
      ['ok'],
    );
    assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), []);
  } finally {
    database.close();
  }
}

function migrationsIn(dataDir: string): string[] {
  const database = new DatabaseSync(join(dataDir, file));
  try {
    return database
      .prepare('SELECT name FROM kysely_migration ORDER BY name')
      .all()
      .map(({ name }) => String(name));
  } finally {
    database.close();
  }
}
