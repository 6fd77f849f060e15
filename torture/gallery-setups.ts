/**
 * The gallery locations that torture uses: SQLite with a folder, or PostgreSQL with an S3 bucket. Each part
 * gets a new location, on separate servers or on those that `npm test` has started.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Postgres, startPostgres } from '../test/support/postgres.ts';
import { makeBucket, type S3Server, s3Environment, startS3 } from '../test/support/s3.ts';
import { postgresTemplate, runAsAdmin } from '../test/support/templates.ts';

export interface TestGallery {
  name: SetupName;
  title: string;
  /** `DATA_DIR` of the server. On PostgreSQL with S3 it holds only temporary files. */
  dataDir: string;
  /** Settings that a server needs in addition to `DATA_DIR`. */
  environment: Record<string, string>;
  /** Removes the location and everything that was started for it. */
  end(): Promise<void>;
}

export const setupNames = ['sqlite', 'postgres'] as const;
export type SetupName = (typeof setupNames)[number];

export const setupTitles: Record<SetupName, string> = {
  sqlite: 'SQLite and a folder',
  postgres: 'PostgreSQL and S3',
};

export async function makeTestGallery(name: SetupName): Promise<TestGallery> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lightwell-torture-'));
  const removeData = () => rm(dataDir, { recursive: true, force: true });
  if (name === 'sqlite') return { name, title: setupTitles[name], dataDir, environment: {}, end: removeData };
  let postgres: Postgres | undefined;
  let s3: S3Server | undefined;
  const end = async () => {
    await postgres?.stop();
    await s3?.stop();
    if (s3) delete process.env.TEST_S3_URL;
    await removeData();
  };
  try {
    const { TEST_POSTGRES_URL, TEST_S3_URL } = process.env;
    if (!TEST_POSTGRES_URL) postgres = await startPostgres();
    if (!TEST_S3_URL) s3 = await startS3();
    // `makeBucket` reads the URL of the S3 server from this variable, as in tests.
    if (s3) process.env.TEST_S3_URL = s3.url;
    const environment = {
      DATABASE_URL: postgres ? await makeDatabase(postgres.url) : await copyTemplate(TEST_POSTGRES_URL!),
      ...s3Environment(await makeBucket()),
    };
    return { name, title: setupTitles[name], dataDir, environment, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * Copies the template database that `npm test` has created, because the first start with an empty schema
 * takes longer.
 */
function copyTemplate(admin: string): Promise<string> {
  return makeDatabase(admin, ` TEMPLATE ${postgresTemplate}`);
}

/** Creates a database. `from` is the SQL clause that names a template. */
async function makeDatabase(admin: string, from = ''): Promise<string> {
  const name = `torture_${randomBytes(6).toString('hex')}`;
  await runAsAdmin(admin, `CREATE DATABASE ${name}${from}`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.href;
}
