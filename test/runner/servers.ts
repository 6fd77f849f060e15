/** What the tests need beside the gallery: an S3 server, and PostgreSQL where a file runs on it. */
import { startPostgres } from '../support/postgres.ts';
import { startS3 } from '../support/s3.ts';
import { makePostgresTemplate } from '../support/templates.ts';
import type { Job } from './jobs.ts';

export interface Servers {
  environment: Record<string, string>;
  /** Why there is no PostgreSQL. */
  trouble?: unknown;
  stop(): Promise<void>;
}

export async function startServers(jobs: Job[]): Promise<Servers> {
  const s3 = await startS3();
  const environment: Record<string, string> = { TEST_S3_URL: s3.url };
  if (!jobs.some(({ home }) => home === 'postgres')) return { environment, stop: s3.stop };
  try {
    const postgres = await startPostgres();
    await makePostgresTemplate(postgres.url);
    const stop = async () => {
      await Promise.all([postgres.stop(), s3.stop()]);
    };
    environment.TEST_POSTGRES_URL = postgres.url;
    if (postgres.socketFolder) environment.TEST_POSTGRES_SOCKET = postgres.socketFolder;
    return { environment, stop };
  } catch (trouble) {
    return { environment, trouble, stop: s3.stop };
  }
}
