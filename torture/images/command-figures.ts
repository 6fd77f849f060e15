/** Runs commands on hostile folders and archives beside the server, and judges the results. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../../test/support/random.ts';
import { atMost, createInfoFigure, type Figure, none, type Surroundings } from '../part.ts';
import { restoreSome } from './archives.ts';
import type { Commands } from './commands.ts';
import { importFolder } from './folder.ts';
import type { FormatSeeds, Seed } from './seeds.ts';

const gigabyte = 1024 ** 3;
/** Fractions of the part's time for imports and restores. */
const importShare = 0.05;
const restoreShare = 0.05;
/** Maximum number of corpus pictures, so that folders and archives contain generated pictures too. */
const maxFound = 60;
/** Username that imports photos; the account has sent damaged pictures before. */
const user = 'mallory0';

export async function commandFigures(
  { commands, seeds: byFormat }: { commands: Commands; seeds: FormatSeeds[] },
  { home, milliseconds, seed }: Surroundings,
): Promise<Figure[]> {
  const random = createRandom(seed);
  const found = byFormat.flatMap((seeds) => seeds.found);
  const seeds = [
    ...byFormat.flatMap(({ made }) => made),
    ...Array.from({ length: Math.min(maxFound, found.length) }, () => random.pick(found)),
  ];
  const importsEnd = Date.now() + milliseconds * importShare;
  const imports = await importSome(home, { seeds, seed, commands, end: importsEnd });
  const restoresEnd = Date.now() + milliseconds * restoreShare;
  const archives = await restoreSome({ seeds, random, commands, end: restoresEnd });
  return [
    atMost('peak memory of a command', commands.peak() / gigabyte, 1, 'GB'),
    createInfoFigure(
      'folders imported, files in them, photos of them',
      `${imports.folders}, ${imports.files}, ${imports.photos}`,
    ),
    none('imports that did what they must not', imports.wrong),
    createInfoFigure('archives restored, of them refused', `${archives.archives}, ${archives.refused}`),
    none('restores that did what they must not', archives.wrong),
  ];
}

async function importSome(
  home: Surroundings['home'],
  { seeds, seed, commands, end }: { seeds: Seed[]; seed: number; commands: Commands; end: number },
) {
  const random = createRandom(seed + 1);
  const sum = { folders: 0, files: 0, photos: 0, wrong: [] as string[] };
  do {
    const root = await mkdtemp(join(tmpdir(), 'lightwell-import-'));
    const { files, photos, wrong } = await importFolder(home, {
      root,
      user,
      seeds,
      random,
      commands,
    }).finally(() => rm(root, { recursive: true, force: true }));
    sum.folders++;
    sum.files += files;
    sum.photos += photos;
    sum.wrong.push(...wrong);
  } while (Date.now() < end);
  return sum;
}
