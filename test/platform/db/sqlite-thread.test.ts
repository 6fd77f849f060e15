/**
 * Tests SQLite threads that fail to start or that end: no statement is lost or run twice, and the next
 * statement works.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openSqliteConnection } from '../../../server/platform/db/sqlite/statements.js';
import { createSqliteThread } from '../../../server/platform/db/sqlite/thread.ts';

const worker = new URL('../../../server/platform/db/sqlite/worker.js', import.meta.url);

test('a thread that waits forever before it begins is replaced; what it was asked is done once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lightwell-thread-'));
  const script = join(folder, 'worker.mjs');
  await writeFile(
    script,
    `import { existsSync, writeFileSync } from 'node:fs';
     const first = ${JSON.stringify(join(folder, 'first'))};
     if (!existsSync(first)) {
       writeFileSync(first, '');
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     }
     await import(${JSON.stringify(worker.href)});`,
  );
  const options = { readOnly: false, busyTimeoutMs: 1000, cacheMb: 1 };
  const thread = createSqliteThread(join(folder, 'one.db'), options, {
    script: pathToFileURL(script),
    withinMs: 2000,
  });
  try {
    const answers = await Promise.all([
      thread.run('CREATE TABLE notes (text TEXT)', []),
      thread.run('INSERT INTO notes VALUES (?)', ['once']),
      thread.run('SELECT text FROM notes', []),
    ]);
    assert.deepEqual(
      answers[2].rows.map((row) => row.text),
      ['once'],
    );
  } finally {
    await thread.close();
    await rm(folder, { recursive: true });
  }
});

test('a thread that cannot be made is an unavailable database, and the next statement makes another one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lightwell-thread-'));
  const script = join(folder, 'worker.mjs');
  await writeFile(
    script,
    `import { existsSync, writeFileSync } from 'node:fs';
     const first = ${JSON.stringify(join(folder, 'first'))};
     if (!existsSync(first)) {
       writeFileSync(first, '');
       throw Object.assign(new Error('Worker initialization failure: EMFILE'), { code: 'ERR_WORKER_INIT_FAILED' });
     }
     await import(${JSON.stringify(worker.href)});`,
  );
  const options = { readOnly: false, busyTimeoutMs: 1000, cacheMb: 1 };
  const start = { script: pathToFileURL(script), withinMs: 10_000 };
  const thread = createSqliteThread(join(folder, 'one.db'), options, start);
  try {
    await assert.rejects(thread.run('SELECT 1 AS one', []), {
      name: 'DatabaseUnavailable',
      mayHaveCommitted: false,
    });
    assert.deepEqual((await thread.run('SELECT 1 AS one', [])).rows, [{ one: 1 }]);
    // The folder does not exist, so the connection cannot be opened. The error must not look like an error
    // of the caller.
    const nowhere = createSqliteThread(join(folder, 'nowhere', 'one.db'), options, {
      ...start,
      script: worker,
    });
    await assert.rejects(nowhere.run('SELECT 1 AS one', []), { name: 'DatabaseUnavailable' });
  } finally {
    await thread.close();
    await rm(folder, { recursive: true });
  }
});

test('a closed thread refuses a late statement, and starts no other thread for it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lightwell-thread-'));
  const options = { readOnly: false, busyTimeoutMs: 1000, cacheMb: 1 };
  const thread = createSqliteThread(join(folder, 'one.db'), options);
  try {
    await thread.run('CREATE TABLE notes (text TEXT)', []);
    await thread.close();
    await assert.rejects(thread.run('SELECT text FROM notes', []), { name: 'DatabaseUnavailable' });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a read sees what the writer thread has just committed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lightwell-thread-'));
  const file = join(folder, 'one.db');
  const options = { readOnly: false, busyTimeoutMs: 1000, cacheMb: 1 };
  const reader = openSqliteConnection(file, options);
  const writer = createSqliteThread(file, options);
  try {
    await writer.run('CREATE TABLE notes (text TEXT)', []);
    for (let count = 1; count <= 20; count++) {
      await writer.run('INSERT INTO notes VALUES (?)', ['new']);
      const { rows } = reader.run('SELECT count(*) AS n FROM notes', []);
      assert.equal(rows[0]!.n, count);
    }
  } finally {
    await writer.close();
    reader.close();
    await rm(folder, { recursive: true });
  }
});
