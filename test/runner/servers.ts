/**
 * Starts the servers that tests need besides the gallery: S3, a browser, and PostgreSQL if a file runs on it.
 */
import { readFileSync } from 'node:fs';
import { startBrowser } from '../support/browser.ts';
import { startPostgres } from '../support/postgres.ts';
import { startS3 } from '../support/s3.ts';
import { makePostgresTemplate } from '../support/templates.ts';
import type { Job } from './jobs.ts';

export interface TestServers {
  environment: Record<string, string>;
  /** The error because of which PostgreSQL did not start. */
  trouble?: unknown;
  stop(): Promise<void>;
}

/** Finds tests that open a browser, by their source text. */
const browserUse = /openBrowser|withoutWeb/;

export async function startServers(jobs: Job[]): Promise<TestServers> {
  const needsBrowser = jobs.some(({ file }) => browserUse.test(readFileSync(file, 'utf8')));
  const [s3, browser] = await Promise.all([startS3(), needsBrowser ? startBrowser() : undefined]);
  const environment: Record<string, string> = { TEST_S3_URL: s3.url };
  if (browser) environment.TEST_BROWSER_URL = browser.url;
  const stopStorageAndBrowser = async () => {
    await Promise.all([s3.stop(), browser?.stop()]);
  };
  if (!jobs.some(({ home }) => home === 'postgres')) return { environment, stop: stopStorageAndBrowser };
  try {
    const postgres = await startPostgres();
    await makePostgresTemplate(postgres.url);
    const stopAll = async () => {
      await Promise.all([postgres.stop(), stopStorageAndBrowser()]);
    };
    environment.TEST_POSTGRES_URL = postgres.url;
    if (postgres.socketFolder) environment.TEST_POSTGRES_SOCKET = postgres.socketFolder;
    return { environment, stop: stopAll };
  } catch (trouble) {
    return { environment, trouble, stop: stopStorageAndBrowser };
  }
}
