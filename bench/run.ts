/** `npm run bench`: every figure in one run, each beside what it is compared with. See bench/README.md. */
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
  hiding: benchHide,
  PostgreSQL: benchPostgres,
  uploads: benchUpload,
  sizes: benchSizes,
  moving: benchMove,
  thumbnails: benchThumbnail,
  imaging: () => benchImaging(undefined),
};
for (const [name, part] of Object.entries(parts)) await attempt(name, part);
reportMissed();
