/** The server's entry: `npm start`. */
import { keepCompiledModules } from './platform/process/compile-cache.ts';
import { keepNewFilesPrivate } from './platform/process/private-files.ts';

keepNewFilesPrivate();
// Before anything else is loaded: later starts find every module stripped of its types and compiled.
keepCompiledModules();

const { ConfigError, readConfig } = await import('./config.ts');
const { DatabaseUnusable } = await import('./platform/db/dialect.ts');
const { StartError } = await import('./platform/errors/start.ts');
const { StorageUnusable } = await import('./platform/errors/storage.ts');
const { start } = await import('./start.ts');

try {
  await start(readConfig());
} catch (error) {
  // Wrong settings, a busy port, databases and storages are the operator's to mend and need no stack trace.
  const known = [ConfigError, StartError, StorageUnusable, DatabaseUnusable];
  const isKnown = known.some((kind) => (error as object) instanceof kind);
  console.error(isKnown ? (error as Error).message : error);
  process.exit(1);
}
