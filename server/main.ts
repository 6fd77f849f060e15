/** The server's entry: `npm start`. */
import { enableCompileCache } from 'node:module';

// Before anything else is loaded: later starts find every module stripped of its types and compiled.
enableCompileCache();

const { ConfigError, readConfig } = await import('./config.ts');
const { StorageUnusable } = await import('./storage/errors.ts');
const { start } = await import('./cluster/start.ts');

try {
  await start(readConfig());
} catch (error) {
  // Wrong settings and storage are the operator's to mend and need no stack trace.
  const isKnown = error instanceof ConfigError || error instanceof StorageUnusable;
  console.error(isKnown ? error.message : error);
  process.exit(1);
}
