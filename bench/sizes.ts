/**
 * Sizes on demand over HTTP: one of 640 px made of the preview, with its claim, its object and its row, beside bare
 * sharp; and one that is there, beside a thumbnail.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLoad } from './burst.ts';
import { measureApart, writeTwelveMegapixels } from './imaging.ts';
import { report, runAlone } from './limits.ts';
import { median, type Server, startServer } from './measure.ts';
import { createUpload } from './upload.ts';

const rounds = 6;
const madePerRound = 8;
const sentPerRound = 3000;

export async function benchSizes(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-sizes-'));
  const [jpeg, preview] = [join(folder, 'photo.jpg'), join(folder, 'preview.jpg')] as const;
  await writeTwelveMegapixels(jpeg, process.env.BENCH_PHOTO);
  const server = await startServer('gallery', join(folder, 'data'));
  try {
    const upload = await createUpload(server, await readFile(jpeg));
    const { thumb } = await upload();
    // Of about as many bytes as a thumbnail.
    const small = thumb.replace('thumb.webp', 'w320.webp');
    await fetched(server, small);
    await writeFile(preview, await fetched(server, thumb.replace('thumb.webp', 'preview.jpg')));
    const [made, sent]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const paths: string[] = [];
      for (let n = 0; n < madePerRound; n++) paths.push(sizeOf((await upload()).thumb));
      const cost = await cpuOf(server, madePerRound, async () => {
        for (const path of paths) await fetched(server, path);
      });
      made.push(cost / 1000 / (await measureApart('bareSize', preview)).cpuMs!);
      const costs: Record<string, number> = {};
      // In turn: what comes first after the uploads pays for what they left.
      for (const path of round % 2 === 0 ? [small, thumb] : [thumb, small]) {
        costs[path] = await cpuOfSending(server, path);
      }
      sent.push(costs[small]! / costs[thumb]!);
    }
    report('a size of 640 px made over HTTP', median(made), 'times the CPU of bare sharp', 1.3);
    report('a size that is there', median(sent), 'times the CPU of a thumbnail', 1.1);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

function sizeOf(thumb: string): string {
  return thumb.replace('thumb.webp', 'w640.webp');
}

async function fetched({ url }: Server, path: string): Promise<Uint8Array> {
  const answer = await fetch(url + path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Microseconds of each of so many. */
async function cpuOf(server: Server, many: number, work: () => Promise<unknown>): Promise<number> {
  const before = (await server.usage()).cpuMicros;
  await work();
  return ((await server.usage()).cpuMicros - before) / many;
}

async function cpuOfSending(server: Server, path: string): Promise<number> {
  const load = await openLoad(server.url, 10, () => ({ path }));
  await load.burst(sentPerRound);
  const cost = await cpuOf(server, sentPerRound, () => load.burst(sentPerRound));
  load.close();
  return cost;
}

if (import.meta.main) await runAlone(benchSizes);
