/**
 * Tests the server on file systems that refuse a system call (SMB, vboxsf, some FUSE). Folders cannot be synced, or the
 * mode of files cannot be changed. strace makes the calls fail.
 */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { findFailCallsObstacle } from '../support/failing-calls.ts';
import { addPhoto, register } from '../support/people.ts';
import { startServer } from '../support/server-process.ts';

const unsynced = /cannot sync a folder \(fsync\)/g;
const shards = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'lightwell-odd-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

suite('a file system', { skip: findFailCallsObstacle() }, () => {
  /** Starts the server below strace, which makes the calls on these paths fail with the error. */
  function startFailing(dataDir: string, calls: string, error: string, paths: string[]) {
    const only = paths.flatMap((path) => ['-P', path]);
    return startServer({
      dataDir,
      environment: { UV_USE_IO_URING: '0' },
      under: [
        ...['strace', '-f', '-qq', '-o', '/dev/null', ...only],
        ...['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}`],
      ],
    });
  }

  const listFolders = (dataDir: string) => [
    dataDir,
    join(dataDir, 'files'),
    ...shards.map((shard) => join(dataDir, 'files', shard)),
  ];

  for (const error of ['EINVAL', 'EOPNOTSUPP', 'ENOSYS']) {
    test(`that answers ${error} to the fsync of a folder is used, with one warning`, async (context) => {
      const dataDir = mkdtempSync(join(folder, 'data-'));
      const server = await startFailing(dataDir, 'fsync', error, listFolders(dataDir));
      context.after(() => server.end('SIGKILL'));
      const ann = await register(server, 'ann');
      const photo = await addPhoto(ann, {});
      assert.equal((await ann.get(`/api/photos/${photo.id}/download`)).status, 200);
      await addPhoto(ann, {});
      await server.end('SIGTERM');
      assert.equal(server.output().match(unsynced)?.length, 1, server.output());
    });
  }

  test('that fails to sync a folder with EIO is refused as before', async () => {
    const dataDir = mkdtempSync(join(folder, 'data-'));
    await assert.rejects(
      startFailing(dataDir, 'fsync', 'EIO', listFolders(dataDir)),
      /is not writable \(EIO/,
    );
  });

  test('whose files have no modes is used, with one warning about who can read them', async () => {
    const dataDir = mkdtempSync(join(folder, 'data-'));
    await (await startServer({ dataDir })).end('SIGTERM');
    const file = join(dataDir, 'lightwell.db');
    chmodSync(file, 0o644);
    const server = await startFailing(dataDir, 'chmod,fchmod,fchmodat', 'EPERM', [file]);
    await server.end('SIGTERM');
    const warnings = server.output().match(/permissions of [^ ]*lightwell\.db cannot be changed/g);
    assert.equal(warnings?.length, 1, server.output());
  });

  test('whose files are private already brings no warning', async () => {
    const dataDir = mkdtempSync(join(folder, 'data-'));
    const server = await startServer({ dataDir });
    await server.end('SIGTERM');
    assert.doesNotMatch(server.output(), /fsync|permissions of|network file system/);
  });
});
