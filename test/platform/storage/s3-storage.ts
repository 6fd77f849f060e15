/** A storage in its own bucket, on the S3 server that the test runner started. */
import type { TestContext } from 'node:test';
import type { S3Timeouts } from '../../../server/platform/storage/s3/client.ts';
import { openS3Storage } from '../../../server/platform/storage/s3/s3.ts';
import type { Storage } from '../../../server/platform/storage/storage.ts';
import { makeBucket, s3Keys } from '../../support/s3.ts';
import { makeDataDir } from './cases.ts';

/** Short time limits for tests with stores that do not respond. */
export const shortTimeouts: S3Timeouts = { call: 2000, attempt: 600, idle: 600 };

export async function makeS3Storage(
  test: TestContext,
  url?: string,
  timeouts?: S3Timeouts,
): Promise<{ storage: Storage; dataDir: string; url: string }> {
  const dataDir = await makeDataDir(test);
  const place = url ?? (await makeBucket());
  const options = { url: place, keys: s3Keys, dataDir };
  // Opens the storage with normal limits first: this loads the S3 client, which takes longer than `shortTimeouts`
  // allows.
  const usual = await openS3Storage(options);
  const storage = timeouts ? await openS3Storage({ ...options, timeouts }) : usual;
  return { storage, dataDir, url: place };
}

/**
 * Sends a request directly to the S3 server, without the driver and without keys, which s3rver does not
 * require.
 */
export function askS3(url: string, key: string, method = 'GET', body?: string): Promise<Response> {
  const { host, searchParams } = new URL(url);
  return fetch(`${process.env.TEST_S3_URL ?? searchParams.get('endpoint')}/${host}/${key}`, {
    method,
    ...(body !== undefined && { body }),
  });
}
