/** Files that nothing names: what was begun and not finished must be gone without a sweep. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { readConfig } from '../../server/config.ts';
import { closeDeps, openDeps } from '../../server/deps.ts';
import { objectsOf } from '../../server/gallery/delivery/objects.ts';
import { objectsStored } from '../../test/support/holdings.ts';

/** Of a file, and not of an object: `<host>-<pid>-…`. */
export function isTemporary(name: string): boolean {
  return name.includes('-');
}

/** In quiet. */
export async function leftovers(settings: {
  dataDir: string;
  environment: Record<string, string>;
}): Promise<string[]> {
  const config = readConfig({ DATA_DIR: settings.dataDir, ...settings.environment });
  const deps = await openDeps(config, pino({ level: 'silent' }));
  try {
    const { kysely } = deps.db;
    const images = await kysely.selectFrom('images').selectAll().execute();
    const removals = await kysely.selectFrom('removals').select('object').execute();
    const pieces = await kysely.selectFrom('upload_pieces').select('object').execute();
    const named = new Set([
      ...images.flatMap(objectsOf),
      ...[...removals, ...pieces].map(({ object }) => object),
    ]);
    return [
      ...(await objectsStored(deps)).filter((name) => !named.has(name)),
      ...(await readdir(join(settings.dataDir, 'tmp'))),
    ];
  } finally {
    await closeDeps(deps);
  }
}
