/** `lightwell serve`: what `npm start` does. */
import { Command } from 'commander';
import { readConfig } from '../../config.ts';

export function serveCommand(): Command {
  return new Command('serve').description('serve the gallery until it is told to stop').action(async () => {
    // Loaded only here: the other commands need no web server.
    const { start } = await import('../../start.ts');
    await start(readConfig());
  });
}
