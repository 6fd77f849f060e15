/** Entry point of the command line. */
import { enableOwnCompileCache } from './platform/process/compile-cache.js';
import { setPrivateUmask } from './platform/process/private-files.ts';

// Archives and exports contain private photos too, so new files must be readable by their owner only.
setPrivateUmask();
// The compile cache must be on before any other module is loaded, as in `main.js`.
enableOwnCompileCache();

const { ConfigError } = await import('./config.ts');
const { describeError } = await import('./tools/commands/failure.ts');
const { commandLineProgram } = await import('./tools/commands/program.ts');

try {
  await commandLineProgram.parseAsync();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : describeError(error));
  process.exitCode = 1;
}
