/** One damaged picture, sent; and where it is accepted, everything done with it that a person may do. */
import { type Answer, anonymous, type Person, type Place } from '../../test/support/people.ts';
import type { Random } from '../../test/support/random.ts';
import type { UnderWay } from './kept.ts';
import { mutate } from './mutate.ts';
import type { Seed } from './seeds.ts';

export interface Tally {
  sent: number;
  accepted: number;
  refused: number;
  statuses: Map<string, number>;
  faults: string[];
  crashes: string[];
  differing: string[];
  /** Milliseconds. */
  slowest: number;
  slowestWhat: string;
  underWay: Set<UnderWay>;
  /** Those that were when the first connection broke: one of them, or several together, may have ended the server. */
  atCrash: UnderWay[];
}

export function createTally(): Tally {
  return {
    sent: 0,
    accepted: 0,
    refused: 0,
    statuses: new Map(),
    faults: [],
    crashes: [],
    differing: [],
    slowest: 0,
    slowestWhat: '',
    underWay: new Set(),
    atCrash: [],
  };
}

const edits = [
  { action: 'rotate', params: { angle: 90 } },
  { action: 'flip', params: { direction: 'h' } },
  { action: 'resize', params: { width: 200, height: 120 } },
  { action: 'crop', params: { x: 0, y: 0, width: 1, height: 1 } },
  { action: 'filter', params: { type: 'blur', value: 3 } },
  { action: 'filter', params: { type: 'sepia' } },
  { action: 'filter', params: { type: 'contrast', value: -40 } },
];

export async function use(
  server: Place,
  owner: Person,
  tally: Tally,
  random: Random,
  seeds: Seed[],
): Promise<void> {
  const seed = random.pick(seeds);
  const { bytes, how } = mutate(random, seed.bytes, random.pick(seeds).bytes);
  const file = { bytes, what: `${seed.name}, ${how}`, asked: '' };
  tally.underWay.add(file);
  try {
    await tryAll({ server, owner, tally, random }, file);
  } finally {
    tally.underWay.delete(file);
  }
}

interface Scene {
  server: Place;
  owner: Person;
  tally: Tally;
  random: Random;
}

async function tryAll({ server, owner, tally, random }: Scene, file: UnderWay): Promise<void> {
  const { bytes, what } = file;
  const ask = async (name: string, send: () => Promise<Answer>): Promise<Answer | undefined> => {
    const start = performance.now();
    file.asked = name;
    const answer = await send().catch((error: Error) => {
      // An answer that openapi.json does not promise is an assertion's; the rest are connections that broke.
      const isCrash = error.name !== 'AssertionError';
      if (isCrash && tally.crashes.length === 0) tally.atCrash = [...tally.underWay];
      (isCrash ? tally.crashes : tally.faults).push(`${what}: ${name}: ${error.message.slice(0, 300)}`);
      return undefined;
    });
    const took = performance.now() - start;
    if (took > tally.slowest)
      [tally.slowest, tally.slowestWhat] = [took, `${name} of ${what}, ${bytes.length} bytes`];
    if (!answer) return undefined;
    count(tally, `${name} ${answer.status}`);
    if (answer.status >= 500)
      tally.faults.push(`${what}: ${name}: ${answer.status} ${answer.bytes.toString().slice(0, 200)}`);
    return answer;
  };
  tally.sent++;
  const upload = await ask('upload', () =>
    owner.upload(bytes, { is_public: random.chance(0.5) ? '1' : '0' }, random.pick(fileNames)),
  );
  if (upload?.status !== 200) {
    tally.refused++;
    return;
  }
  tally.accepted++;
  const { id } = upload.body.data;
  const download = await ask('download', () => owner.get(`/api/photos/${id}/download`));
  if (download && !download.bytes.equals(bytes)) tally.differing.push(what);
  const detail = await ask('detail', () => owner.get(`/api/photos/${id}`));
  const { image, path } = detail?.body.data ?? {};
  if (!image) return;
  const sized = random.pick([
    image.replace('{width}', '320'),
    image.replace('{width}', '1280').replace('.webp', '.jpg'),
  ]);
  await ask('size', () => owner.get(sized));
  await ask('clean copy', () => anonymous(server).get(path));
  await ask('edit', () => owner.post(`/api/photos/${id}/edit`, random.pick(edits)));
  if (!random.chance(0.3)) return;
  await ask('delete', () => owner.delete(`/api/photos/${id}`));
  await ask('purge', () => owner.delete(`/api/trash/${id}`));
}

const fileNames = ['a.jpg', 'b.png', '../../c.heic', 'd', 'e.svg', 'f\u202egpj.exe'];

function count({ statuses }: Tally, what: string): void {
  statuses.set(what, (statuses.get(what) ?? 0) + 1);
}
