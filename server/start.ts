/**
 * Starts the server in this process, or in as many workers as `WORKERS` says. Loads only the modules that the chosen
 * mode needs.
 */
import cluster from 'node:cluster';
import { type Config, ConfigError, readConfig } from './config.ts';
import { DatabaseUnusable } from './platform/db/dialect.ts';
import { StartError } from './platform/errors/start.ts';
import { StorageUnusable } from './platform/errors/storage.ts';
import { setPrivateUmask } from './platform/process/private-files.ts';

/**
 * Errors that the operator can fix, such as wrong settings, a busy port or an unreachable database. Only the message of
 * such an error is printed, without a stack trace.
 */
const knownErrors = [ConfigError, StartError, StorageUnusable, DatabaseUnusable];

/** Runs the server process. Exits with code 1 when the server cannot start. */
export async function runServerProcess(): Promise<void> {
  setPrivateUmask();
  try {
    await startGallery(readConfig());
  } catch (error) {
    const isKnown = knownErrors.some((kind) => error instanceof kind);
    console.error(isKnown ? (error as Error).message : error);
    process.exit(1);
  }
}

export async function startGallery(config: Config): Promise<void> {
  if (config.workers > 1 && cluster.isPrimary) {
    const { superviseWorkers } = await import('./platform/cluster/primary.ts');
    return superviseWorkers(config);
  }
  const { serveRequests } = await import('./serve.ts');
  return serveRequests(config);
}
