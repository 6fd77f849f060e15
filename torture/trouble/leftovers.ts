/** Finds unreferenced files: unfinished files must be removed without a maintenance run. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { readConfig } from '../../server/config.ts';
import { closeDeps, type Deps, openDeps } from '../../server/deps.ts';
import { listImageObjectNames } from '../../server/gallery/delivery/objects.ts';
import { listStoredObjects } from '../../test/support/gallery-counts.ts';

/** Returns whether a name is that of a temporary file instead of an object: `<host>-<pid>-…`. */
export function isTemporary(name: string): boolean {
  return name.includes('-');
}

interface Settings {
  dataDir: string;
  environment: Record<string, string>;
}

/** Returns unreferenced files of a gallery without running requests. */
export function leftovers(settings: Settings): Promise<string[]> {
  return withDeps(settings, async (deps) => {
    const { kysely } = deps.db;
    const images = await kysely.selectFrom('images').selectAll().execute();
    const removals = await kysely.selectFrom('removals').select('object').execute();
    const pieces = await kysely.selectFrom('upload_pieces').select('object').execute();
    const named = new Set([
      ...images.flatMap(listImageObjectNames),
      ...[...removals, ...pieces].map(({ object }) => object),
    ]);
    return [
      ...(await listStoredObjects(deps)).filter((name) => !named.has(name)),
      ...(await readdir(join(settings.dataDir, 'tmp'))),
    ];
  });
}

/** Returns objects whose removal has been due for `seconds` and that still exist. */
export function overdue(settings: Settings, seconds: number): Promise<string[]> {
  return withDeps(settings, async ({ db, clock }) => {
    const due = db.kysely
      .selectFrom('removals')
      .select('object')
      .where('due_time', '<', clock() - seconds);
    return (await due.execute()).map(({ object }) => object);
  });
}

async function withDeps<Result>(
  { dataDir, environment }: Settings,
  work: (deps: Deps) => Promise<Result>,
): Promise<Result> {
  const config = readConfig({ DATA_DIR: dataDir, ...environment });
  const deps = await openDeps(config, pino({ level: 'silent' }));
  try {
    return await work(deps);
  } finally {
    await closeDeps(deps);
  }
}
