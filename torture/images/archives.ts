/** Damages archives for `lightwell restore`: each must be refused with a reason or restored completely. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandOutcome } from '../../test/support/command.ts';
import { password } from '../../test/support/people.ts';
import type { Random } from '../../test/support/random.ts';
import type { Commands } from './commands.ts';
import { mutate } from './mutate.ts';
import type { Seed } from './seeds.ts';

export interface Restored {
  archives: number;
  refused: number;
  /** Forbidden effects of a restore, such as files outside its folder. */
  wrong: string[];
}

const photosInIt = 6;
const block = 512;

/** Restores damaged archives of a small gallery until `end`. */
export async function restoreSome({
  seeds,
  random,
  commands,
  end,
}: {
  seeds: Seed[];
  random: Random;
  commands: Commands;
  end: number;
}): Promise<Restored> {
  const root = await mkdtemp(join(tmpdir(), 'lightwell-restore-'));
  const sum: Restored = { archives: 0, refused: 0, wrong: [] };
  try {
    const archive = await makeArchive(root, seeds, commands);
    // The intact archive must be accepted; otherwise the other refusals would prove nothing.
    const whole = { bytes: archive, how: asItIs };
    await restoreOne(root, whole, { commands, sum });
    do await restoreOne(root, damaged(random, archive), { commands, sum });
    while (Date.now() < end);
    return sum;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function makeArchive(root: string, seeds: Seed[], commands: Commands): Promise<Buffer> {
  const [home, folder, file] = ['home', 'folder', 'whole'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(home);
  await mkdir(folder);
  for (const [index, { bytes }] of seeds.slice(0, photosInIt).entries())
    await writeFile(join(folder, `${index}.jpg`), bytes);
  for (const [args, input] of [
    [['user', 'create', 'ann', 'ann@example.org'], `${password}\n`],
    [['import', folder, '--user', 'ann'], ''],
    [['backup', file], ''],
  ] as [string[], string][]) {
    const { code, out, err } = await commands.run({ DATA_DIR: home }, args, input);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${out}${err}`);
  }
  return readFile(file);
}

const asItIs = 'as it is';

function damaged(random: Random, archive: Buffer): { bytes: Buffer; how: string } {
  return random.chance(0.5) ? mutate(random, archive, archive) : withHeader(random, archive);
}

async function restoreOne(
  root: string,
  { bytes, how }: { bytes: Buffer; how: string },
  { commands, sum }: { commands: Commands; sum: Restored },
): Promise<void> {
  const [file, home] = [join(root, 'damaged'), join(root, 'to')];
  await writeFile(file, bytes);
  await mkdir(home);
  const before = await outside(root);
  const restored = await commands.run({ DATA_DIR: home }, ['restore', file]);
  const say = (what: string) => sum.wrong.push(`${how}: ${what}`);
  sum.archives++;
  complain(restored, say);
  if (restored.code === 0) {
    const checked = await commands.run({ DATA_DIR: home }, ['check']);
    if (checked.code !== 0) say(`restored, and check ends with ${checked.code}: ${checked.out.slice(-300)}`);
  } else {
    sum.refused++;
    if (how === asItIs) say(`refused: ${restored.err.slice(-300)}`);
  }
  if ((await outside(root)).join() !== before.join()) say('there are other files outside');
  await rm(home, { recursive: true });
}

function complain({ code, out, err }: CommandOutcome, say: (what: string) => void): void {
  const said = `${out}${err}`;
  if (code !== 0 && code !== 1) say(`ended with ${code}: ${said.slice(-300)}`);
  if (/^\s+at .+:\d+|Unhandled|node:internal/m.test(said)) say(`told of its inside: ${said.slice(-600)}`);
  if (code !== 0 && err.trim() === '') say('ended without a reason');
}

/** Returns the files outside the restored gallery. */
async function outside(root: string): Promise<string[]> {
  const all = await readdir(root, { recursive: true });
  return all.filter((name) => name !== 'to' && !name.startsWith('to/')).sort();
}

/** Changes the header of one tar entry, and corrects its checksum. */
function withHeader(random: Random, archive: Buffer) {
  const bytes = Buffer.from(archive);
  const heads = findEntryHeads(bytes);
  const at = random.pick(heads);
  const name = random.pick([
    '../../escape',
    '/tmp/lightwell-escape',
    'files/../../../escape',
    'a/\0b',
    'x'.repeat(99),
    '',
  ]);
  const changes: Record<string, () => void> = {
    'another name': () => void bytes.fill(0, at, at + 100).write(name, at, 'latin1'),
    'another size': () =>
      void bytes.write(random.pick(['00000000000', '77777777777', '00000000001']), at + 124, 'latin1'),
    'another kind': () =>
      void bytes.write(random.pick(['1', '2', '3', '5', '6', 'x', 'g', 'L', 'Z']), at + 156, 'latin1'),
    'a link elsewhere': () => void bytes.write('2/etc/passwd', at + 156, 'latin1'),
  };
  const how = random.pick(Object.keys(changes));
  changes[how]!();
  bytes.write('        ', at + 148, 'latin1');
  const sum = bytes.subarray(at, at + block).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148, 'latin1');
  return { bytes, how: `${how} of entry ${heads.indexOf(at)}` };
}

function findEntryHeads(bytes: Buffer): number[] {
  const heads: number[] = [];
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0; ) {
    heads.push(at);
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8) || 0;
    at += block + Math.ceil(size / block) * block;
  }
  return heads;
}
