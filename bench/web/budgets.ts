/**
 * `npm run web:budgets`: what the pages cost whoever opens them, next to what they may. Sizes by what was built; all
 * else in the installed Chromium, on a gallery of its own. Ends with 1 where something is over; with `--lenient` (on
 * machines that do other things, too) only sizes stop anything. Words choose parts: `sizes loading`.
 */
import { resolve } from 'node:path';
import { withoutBrowser } from '../../test/support/browser.ts';
import { type Figure, isMet, lineOf } from './figures.ts';
import { interaction } from './interaction.ts';
import { large } from './large.ts';
import { loading } from './loading.ts';
import { sizes } from './sizes.ts';

process.chdir(resolve(import.meta.dirname, '../..'));

const parts: Record<string, () => Promise<Figure[]>> = { sizes, loading, interaction, large };
const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isLenient = process.argv.includes('--lenient');

for (const [name, measure] of Object.entries(parts)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  if (name !== 'sizes' && withoutBrowser) {
    console.log(`skipped ${name}: ${withoutBrowser}`);
    continue;
  }
  const isBinding = name === 'sizes' || !isLenient;
  try {
    for (const figure of await measure()) {
      console.log(lineOf(figure));
      if (!isMet(figure) && isBinding) process.exitCode = 1;
    }
  } catch (error) {
    if (isBinding) throw error;
    console.log(`${name} could not be measured: ${error}`);
  }
}
