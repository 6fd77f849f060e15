/**
 * `npm run web:budgets`: compares the cost of the pages with their limits. Sizes come from the built files.
 * Everything else is measured in the installed Chromium, on a separate gallery. Arguments choose parts: `npm
 * run web:budgets -- sizes loading`.
 */
import { resolve } from 'node:path';
import { withoutBrowser } from '../../test/support/browser.ts';
import { report, runAlone } from '../limits.ts';
import type { Figure } from './figures.ts';
import { interaction } from './interaction.ts';
import { large } from './large.ts';
import { loading } from './loading.ts';
import { sizes } from './sizes.ts';

const parts: Record<string, () => Promise<Figure[]>> = { sizes, loading, interaction, large };

/** Reports the figures of the named parts. Without a browser, parts that need one are skipped. */
async function benchPages(names = Object.keys(parts)): Promise<void> {
  process.chdir(resolve(import.meta.dirname, '../..'));
  for (const name of names) {
    if (name !== 'sizes' && withoutBrowser) console.log(`skipped ${name}: ${withoutBrowser}`);
    else for (const { what, value, unit, limit } of await parts[name]!()) report(what, value, unit, limit);
  }
}

const chosen = process.argv.slice(2);
await runAlone(() => benchPages(chosen.length > 0 ? chosen : undefined));
