/** The command `lightwell serve` starts the server, like `npm start`. */
import { Command } from 'commander';
import { readConfig } from '../../config.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('run the server until it receives SIGINT or SIGTERM')
    .action(async () => {
      // The module is imported only here, because other commands do not need the web server.
      const { startGallery } = await import('../../start.ts');
      await startGallery(readConfig());
    });
}
