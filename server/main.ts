/** The server's entry: `npm start`. */
import { enableCompileCache } from 'node:module';

// Before anything else is loaded: later starts find every module stripped of its types and compiled.
enableCompileCache();

const { ConfigError, readConfig } = await import('./config.ts');
const { serve } = await import('./serve.ts');

try {
  await serve(readConfig());
} catch (error) {
  // A wrong setting is the operator's to mend and needs no stack trace.
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
