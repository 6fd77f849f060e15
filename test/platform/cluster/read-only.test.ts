/** A PostgreSQL that accepts no writes, such as a replica, ends the start with one sentence. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import pg from 'pg';
import { makeTestDatabase } from '../../support/harness.ts';

test('a start on a read-only database waits for START_TIMEOUT, and names the primary as the cure', async (context) => {
  const made = (await makeTestDatabase())!;
  const dataDir = mkdtempSync(join(tmpdir(), 'lightwell-read-only-'));
  context.after(async () => {
    await made.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await client.connect();
  const reader = `reader_${randomBytes(4).toString('hex')}`;
  await client.query(`CREATE ROLE ${reader} SUPERUSER LOGIN PASSWORD 'readers-password'`);
  await client.query(`ALTER ROLE ${reader} SET default_transaction_read_only = on`);
  context.after(async () => {
    await client.query(`DROP ROLE ${reader}`);
    await client.end();
  });
  const url = new URL(made.url);
  url.username = reader;
  url.password = 'readers-password';

  const main = resolve(import.meta.dirname, '../../../server/main.js');
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [main], {
    env: { ...env, DATABASE_URL: url.href, START_TIMEOUT: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  assert.equal(code, 1);
  assert.match(
    error.trim(),
    /^Cannot use PostgreSQL at .*: the database is read-only\. Is it a replica, .* DATABASE_URL must name the primary\.$/,
  );
  assert.match(out, /the database is read-only\..* Retrying until START_TIMEOUT is over/);
});
