/** A storage in a bucket of its own, on the S3 server that `npm test` started. */
import type { TestContext } from 'node:test';
import type { Timeouts } from '../../../server/platform/storage/s3/client.ts';
import { openS3Storage } from '../../../server/platform/storage/s3/s3.ts';
import type { Storage } from '../../../server/platform/storage/storage.ts';
import { makeBucket, s3Keys } from '../../support/s3.ts';
import { makeDataDir } from './cases.ts';

/** For stores that do not answer. */
export const hasty: Timeouts = { call: 2000, attempt: 600, idle: 600 };

export async function makeS3Storage(
  test: TestContext,
  url?: string,
  timeouts?: Timeouts,
): Promise<{ storage: Storage; dataDir: string; url: string }> {
  const dataDir = await makeDataDir(test);
  const place = url ?? (await makeBucket());
  const options = { url: place, keys: s3Keys, dataDir };
  // The first in a process loads the client, which on a busy machine takes longer than a hasty call may.
  const usual = await openS3Storage(options);
  const storage = timeouts ? await openS3Storage({ ...options, timeouts }) : usual;
  return { storage, dataDir, url: place };
}

/** Past our driver, and without keys, which s3rver does not ask for. */
export function askS3(url: string, key: string, method = 'GET', body?: string): Promise<Response> {
  const { host, searchParams } = new URL(url);
  return fetch(`${process.env.TEST_S3_URL ?? searchParams.get('endpoint')}/${host}/${key}`, {
    method,
    ...(body !== undefined && { body }),
  });
}
