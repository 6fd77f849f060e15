/**
 * Creates new galleries for sequences of steps, one after the other at the same location, in this process
 * with a movable clock.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../../server/config.ts';
import { type Gallery, startGallery } from '../../test/support/harness.ts';
import { makeBucket, s3Environment } from '../../test/support/s3.ts';
import {
  copySqliteTemplate,
  makePostgresTemplate,
  postgresTemplate,
  runAsAdmin,
} from '../../test/support/templates.ts';
import type { TestGallery } from '../gallery-setups.ts';

export interface NewGallery {
  gallery: Gallery;
  end(): Promise<void>;
}

export type MakeGallery = () => Promise<NewGallery>;

/**
 * Settings of the galleries: sessions outlive all moved clocks, and forwarded IP addresses are trusted for
 * attempts at link passwords.
 */
const settings = { tokenTtl: 10 * 365 * 86_400, trustProxy: true };

export function galleriesOn(home: TestGallery): MakeGallery {
  const templated = home.environment.DATABASE_URL ? makeTemplate(home.environment.DATABASE_URL) : undefined;
  return async () => {
    await templated;
    const name = `model_${randomBytes(6).toString('hex')}`;
    const dataDir = join(home.dataDir, name);
    await mkdir(dataDir);
    const admin = home.environment.DATABASE_URL;
    if (admin) await runAsAdmin(admin, `CREATE DATABASE ${name} TEMPLATE ${postgresTemplate}`);
    else await copySqliteTemplate(dataDir);
    const environment = {
      ...home.environment,
      ...(admin && { DATABASE_URL: databaseAt(admin, name), ...s3Environment(await makeBucket()) }),
    };
    const { databaseUrl, storageUrl, storageKeys } = readConfig(environment);
    const gallery = await startGallery({ ...settings, dataDir, databaseUrl, storageUrl, storageKeys });
    return {
      gallery,
      async end() {
        await gallery.close();
        await rm(dataDir, { recursive: true });
        if (admin) await runAsAdmin(admin, `DROP DATABASE ${name} WITH (FORCE)`);
      },
    };
  };
}

/** Uses a new gallery, and ends the gallery afterwards. */
export async function withGallery<Result>(
  makeGallery: MakeGallery,
  use: (gallery: Gallery) => Promise<Result>,
): Promise<Result> {
  const { gallery, end } = await makeGallery();
  try {
    return await use(gallery);
  } finally {
    await end();
  }
}

/** Creates the template database, unless `npm test` has created it already. */
async function makeTemplate(admin: string): Promise<void> {
  await makePostgresTemplate(admin).catch((error: { code?: string }) => {
    if (error.code !== duplicateDatabase) throw error;
  });
}
const duplicateDatabase = '42P04';

function databaseAt(admin: string, name: string): string {
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.href;
}
