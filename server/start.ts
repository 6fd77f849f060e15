/** Serves in this process, or in as many as `WORKERS` says. Loads only what the one or the other needs. */
import cluster from 'node:cluster';
import { type Config, ConfigError, readConfig } from './config.ts';
import { DatabaseUnusable } from './platform/db/dialect.ts';
import { StartError } from './platform/errors/start.ts';
import { StorageUnusable } from './platform/errors/storage.ts';
import { keepNewFilesPrivate } from './platform/process/private-files.ts';

/** What the operator is to mend: wrong settings, a busy port, a database, a storage. They need no stack trace. */
const knownErrors = [ConfigError, StartError, StorageUnusable, DatabaseUnusable];

/** The whole process: ends it with 1 where it cannot start. */
export async function main(): Promise<void> {
  keepNewFilesPrivate();
  try {
    await start(readConfig());
  } catch (error) {
    const isKnown = knownErrors.some((kind) => error instanceof kind);
    console.error(isKnown ? (error as Error).message : error);
    process.exit(1);
  }
}

export async function start(config: Config): Promise<void> {
  if (config.workers > 1 && cluster.isPrimary) {
    const { supervise } = await import('./platform/cluster/primary.ts');
    return supervise(config);
  }
  const { serve } = await import('./serve.ts');
  return serve(config);
}
