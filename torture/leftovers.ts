/** Finds leftovers of hostile requests and files: objects, temporary files, and findings of `check`. */
import pino from 'pino';
import { readConfig } from '../server/config.ts';
import { closeDeps, type Deps, openDeps } from '../server/deps.ts';
import { StorageUnavailable } from '../server/platform/errors/storage.ts';
import { checkGallery } from '../server/tools/check/check.ts';
import {
  listReferencedObjects,
  listStoredObjects,
  listTemporaryFiles,
} from '../test/support/gallery-counts.ts';
import type { TestGallery } from './gallery-setups.ts';
import { type Figure, none } from './part.ts';

const maxTries = 10;

/** Checks that refused requests left nothing: each object has a row, and each row its objects. */
export async function leftovers({ dataDir, environment }: TestGallery): Promise<Figure[]> {
  const deps = await openDeps(readConfig({ DATA_DIR: dataDir, ...environment }), pino({ level: 'silent' }));
  try {
    return [
      none('objects without a row', await strayObjects(deps)),
      none('temporary files left', await listTemporaryFiles(dataDir)),
      none('findings of check', await runCheck(deps)),
    ];
  } finally {
    await closeDeps(deps);
  }
}

/** Returns objects without a row, except those that are about to be deleted, such as a purged photo's. */
async function strayObjects(deps: Deps): Promise<string[]> {
  const users = await deps.db.kysely.selectFrom('users').select('avatar').execute();
  const rows = new Set([...(await listReferencedObjects(deps)), ...users.map(({ avatar }) => avatar)]);
  const removals = await deps.db.kysely.selectFrom('removals').selectAll().execute();
  const due = new Set(removals.map(({ object }) => object));
  const stored = await untilServed(() => listStoredObjects(deps));
  return stored.filter((name) => !rows.has(name) && !due.has(name));
}

/** Retries while the store is too slow on a busy machine. */
async function untilServed<Result>(ask: () => Promise<Result>, tries = 1): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof StorageUnavailable) || tries === maxTries) throw error;
    return untilServed(ask, tries + 1);
  }
}

async function runCheck(deps: Deps): Promise<string[]> {
  const findings: string[] = [];
  await checkGallery(deps, {
    isFast: false,
    isRepair: false,
    jobs: 2,
    progress: { begin: () => {}, step: () => {} },
    onFinding: ({ kind, subject, detail }) => findings.push(`${kind}: ${subject} ${detail}`.trim()),
  });
  return findings;
}
