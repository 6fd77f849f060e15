/** The command `lightwell access` shows and changes who can see the gallery, also while the server runs. */
import { createInterface } from 'node:readline';
import { Argument, Command } from 'commander';
import { type SiteAccess, siteAccessChoices } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { findSiteAccess } from '../../gallery/identity/members-only.ts';
import { readSiteSettings } from '../../gallery/identity/site-settings.ts';
import { commandLineActor } from '../../gallery/moderation/audit.ts';
import { changeSiteAccess, countPublicPhotos } from '../../gallery/site/access.ts';
import { CommandError } from './failure.ts';
import { withDeps } from './run.ts';

export function accessCommand(): Command {
  return new Command('access')
    .description('show who can see the gallery, or change it')
    .addArgument(new Argument('[who]', 'everyone, or only signed-in users').choices(siteAccessChoices))
    .option('--yes', 'open the gallery to everyone without a question')
    .action((who: SiteAccess | undefined, { yes }: { yes?: boolean }) =>
      withDeps((deps) => (who === undefined ? printAccess(deps) : setAccess(deps, who, yes === true))),
    );
}

async function printAccess({ config, db }: Deps): Promise<void> {
  const { access, registration } = await readSiteSettings(config, db.kysely);
  const origin = config.access === undefined ? '' : ' (set by ACCESS)';
  console.log(`${access}${origin}\nregistration: ${registration}`);
}

async function setAccess(deps: Deps, access: SiteAccess, isMeant: boolean): Promise<void> {
  const { config, db } = deps;
  if (config.access !== undefined)
    throw new CommandError(
      `the setting ACCESS=${config.access} decides who can see the gallery. To use this command, remove the setting ` +
        'for the server and for the command',
    );
  if ((await findSiteAccess(config, db.kysely)) === access) return printAccess(deps);
  if (access === 'public' && !(await confirmOpening(deps, isMeant))) {
    console.log('Nothing was changed.');
    process.exitCode = 1;
    return;
  }
  await changeSiteAccess(deps, commandLineActor, access);
  await printAccess(deps);
}

/** Names the number of photos that anyone will see, and asks unless the operator has confirmed with `--yes`. */
async function confirmOpening(deps: Deps, isMeant: boolean): Promise<boolean> {
  const n = await countPublicPhotos(deps);
  console.log(`Without signing in, anyone will see ${n} photo${n === 1 ? '' : 's'}.`);
  return isMeant || (await readAnswer('Open the gallery to everyone? Type yes: ')) === 'yes';
}

/** Asks a question in the terminal, and reads one line of the terminal or of standard input. */
async function readAnswer(question: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const lines = createInterface({ input: process.stdin, terminal: false });
  process.stderr.write(question);
  lines.once('line', (line) => resolve(line.trim()));
  // After a complete line the promise is already resolved, and the empty answer has no effect.
  lines.once('close', () => resolve(''));
  return promise.finally(() => lines.close());
}
