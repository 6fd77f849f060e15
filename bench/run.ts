/**
 * `npm run bench`: measures all figures in one run, each beside a figure to compare with. See
 * bench/README.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { benchApi } from './api.ts';
import { benchGrowth } from './growth.ts';
import { benchHide } from './hide.ts';
import { report as benchImaging } from './imaging.ts';
import { attempt, reportMissed } from './limits.ts';
import { benchMixed } from './mixed.ts';
import { benchMove } from './move.ts';
import { benchPeople } from './people.ts';
import { benchPostgres } from './postgres.ts';
import { benchQueries } from './queries.ts';
import { benchSizes } from './sizes.ts';
import { benchStart } from './start.ts';
import { benchThumbnail } from './thumbnail.ts';
import { benchUpload } from './upload.ts';

const parts: Record<string, () => Promise<void>> = {
  start: benchStart,
  lists: benchApi,
  queries: benchQueries,
  growth: () => benchGrowth(process.argv.includes('--write')),
  'mixed load': benchMixed,
  people: benchPeople,
  hiding: () => benchHide(),
  PostgreSQL: benchPostgres,
  uploads: benchUpload,
  sizes: benchSizes,
  moving: benchMove,
  thumbnails: benchThumbnail,
  imaging: () => benchImaging(undefined),
  pages: benchPages,
};
const asked = process.argv.slice(2).filter((argument) => argument !== '--write');
const unknown = asked.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`there is no part ${unknown.join(', ')}, only ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}
for (const [name, part] of Object.entries(parts)) {
  if (asked.length === 0 || asked.includes(name)) await attempt(name, part);
}
reportMissed();

/** Runs in its own process, because the code is typed for the browser (web/tsconfig.json). */
async function benchPages(): Promise<void> {
  const script = join(import.meta.dirname, 'web/budgets.ts');
  const [code] = await once(spawn(process.execPath, [script], { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error('a figure of the pages is over its limit, or was not measured');
}
