/** `npm run web:budgets`: what a browser loads for each page, and what it may. Ends with 1 where something is too much. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { builtFolder, readBuilt } from '../../server/gallery/pages/built.ts';
import { pageRoutes, sourcesOf } from '../../server/gallery/pages/pages.ts';

process.chdir(resolve(import.meta.dirname, '../..'));

/** kB of brotli: the scripts of a page that is opened first, and of the viewer over it. */
const mostScript = 120;
const mostViewer = 25;
const mostStyle = 12;

const built = await readBuilt(builtFolder);
if (!built) throw new Error('the pages are not built: npm run build:web');

const sizeOf = (paths: string[]) =>
  paths.reduce((sum, path) => sum + statSync(join('dist/web', `${path}.br`)).size, 0) / 1000;

let tooLarge = 0;
for (const route of pageRoutes) {
  const { path } = route;
  const { modules, styles } = built.filesFor(sourcesOf(route, 'en'));
  report(
    `${path}, scripts`,
    sizeOf([built.entry, ...modules]),
    mostScript + (/\/photos\/:\w+$/.test(path) ? mostViewer : 0),
  );
  report(`${path}, styles`, sizeOf(styles), mostStyle);
}
process.exitCode = tooLarge > 0 ? 1 : 0;

function report(what: string, size: number, limit: number): void {
  const isFine = size <= limit;
  if (!isFine) tooLarge++;
  console.log(
    `${isFine ? 'ok    ' : 'FAILED'} ${what.padEnd(28)} ${size.toFixed(1).padStart(6)} kB of ${limit}`,
  );
}
