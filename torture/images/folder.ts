/**
 * Creates folders of damaged files for `lightwell import`: pictures, sidecars, and links that lead outside.
 */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Random } from '../../test/support/random.ts';
import type { Commands } from './commands.ts';
import { mutate } from './mutate.ts';
import type { Seed } from './seeds.ts';

export interface Imported {
  files: number;
  photos: number;
  /** Forbidden effects of an import, such as files outside its folder. */
  wrong: string[];
}

interface Gallery {
  dataDir: string;
  environment: Record<string, string>;
}

const filesInFolder = 24;

/** Fills the empty folder `root` with damaged files and imports it. */
export async function importFolder(
  gallery: Gallery,
  {
    root,
    user,
    seeds,
    random,
    commands,
  }: { root: string; user: string; seeds: Seed[]; random: Random; commands: Commands },
): Promise<Imported> {
  const folder = join(root, 'import');
  await writeFolder(folder, seeds, random);
  const outside = join(root, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'secret.json'), '{"title":"OUTSIDE"}');
  await symlink(outside, join(folder, 'out'));
  const before = await readdir(root, { recursive: true });
  const settings = { DATA_DIR: gallery.dataDir, ...gallery.environment };
  const { code, out, err } = await commands.run(settings, ['import', folder, '--user', user]);
  const wrong: string[] = [];
  const said = `${out}${err}`;
  if (code !== 0 && code !== 1) wrong.push(`it ended with ${code}: ${said.slice(-300)}`);
  if (/^\s+at .+:\d+|Unhandled|node:internal/m.test(said))
    wrong.push(`it told of its inside: ${said.slice(-600)}`);
  if (code === 1 && said.trim() === '') wrong.push('it ended with 1 and said nothing');
  if (/OUTSIDE/.test(said)) wrong.push('it read what is outside');
  const after = await readdir(root, { recursive: true });
  if (after.join() !== before.join()) wrong.push('there are other files than before');
  const photos = Number(/^(\d+) imported/m.exec(out)?.[1] ?? 0);
  return { files: filesInFolder, photos, wrong };
}

const sidecar = JSON.stringify({
  title: 'A title',
  description: 'A description',
  photoTakenTime: { timestamp: '1600000000' },
  creationTime: { timestamp: '1600000000' },
});
const album = JSON.stringify({
  schema: 'lightwell-album',
  version: 1,
  name: 'An album',
  description: '',
  is_public: 1,
  create_time: '2020-01-01T00:00:00Z',
  update_time: '2020-01-01T00:00:00Z',
  cover_sha256: null,
});
const names = [
  'a.jpg',
  'B.PNG',
  'c d.gif',
  'ü.webp',
  '-rf.tif',
  '%2e%2e.avif',
  'x\u202egpj.heic',
  `${'n'.repeat(200)}.jpg`,
  '.hidden.jpg',
  'no-extension',
];

async function writeFolder(folder: string, seeds: Seed[], random: Random): Promise<void> {
  for (let n = 0; n < filesInFolder; n++) {
    const { bytes } = random.pick(seeds);
    const within = random.pick(['', 'one', 'one/two', 'one/two/three', 'emoji 📷']);
    const file = join(folder, within, `${n}${random.pick(names)}`);
    await mkdir(dirname(file), { recursive: true });
    const picture = random.chance(0.3) ? bytes : mutate(random, bytes, random.pick(seeds).bytes).bytes;
    await writeFile(file, picture);
    if (random.chance(0.4)) await writeFile(`${file}.json`, damaged(random, sidecar));
    if (random.chance(0.2))
      await writeFile(`${file}.xmp`, damaged(random, '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>'));
    if (random.chance(0.2)) await writeFile(join(dirname(file), 'album.json'), damaged(random, album));
  }
}

function damaged(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  return random.chance(0.3) ? bytes : mutate(random, bytes, bytes).bytes;
}
