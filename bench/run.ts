/** `npm run bench`: every figure in one run, each beside what it is compared with. See bench/README.md. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { benchApi } from './api.ts';
import { benchGrowth } from './growth.ts';
import { benchHide } from './hide.ts';
import { reportMissed } from './limits.ts';
import { benchMixed } from './mixed.ts';
import { benchMove } from './move.ts';
import { benchPeople } from './people.ts';
import { benchPostgres } from './postgres.ts';
import { benchQueries } from './queries.ts';
import { benchSizes } from './sizes.ts';
import { benchStart } from './start.ts';
import { benchUpload } from './upload.ts';

await benchStart();
await benchApi();
await benchQueries();
await benchGrowth();
await benchMixed();
await benchPeople();
await benchHide();
await benchPostgres();
await benchUpload();
await benchSizes();
await benchMove();
// These two start processes of their own and print their figures themselves.
for (const script of ['thumbnail.ts', 'imaging.ts']) {
  execFileSync(process.execPath, [join(import.meta.dirname, script)], { stdio: 'inherit' });
}
reportMissed();
