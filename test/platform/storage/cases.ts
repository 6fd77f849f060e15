/** A storage in its own folder, deleted after the test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openDiskStorage } from '../../../server/platform/storage/disk/disk.ts';
import type { Storage } from '../../../server/platform/storage/storage.ts';

export async function makeDataDir(test: TestContext): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-files-'));
  test.after(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

export async function makeStorage(test: TestContext): Promise<{ storage: Storage; dataDir: string }> {
  const dataDir = await makeDataDir(test);
  return { storage: await openDiskStorage(dataDir), dataDir };
}
