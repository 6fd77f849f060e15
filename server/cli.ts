/** The command line's entry. */
import { keepCompiledModules } from './platform/process/compile-cache.js';
import { keepNewFilesPrivate } from './platform/process/private-files.ts';

// Archives and exports hold private photos, too.
keepNewFilesPrivate();
// Before anything else is loaded, as the server does.
keepCompiledModules();

const { ConfigError } = await import('./config.ts');
const { messageOf } = await import('./tools/commands/failure.ts');
const { program } = await import('./tools/commands/program.ts');

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : messageOf(error));
  process.exitCode = 1;
}
