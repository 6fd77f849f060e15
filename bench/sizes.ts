/**
 * Benchmarks image sizes on demand over HTTP. A new 640 px size, with its claim, object and row, is compared
 * with bare sharp. A stored size is compared with a thumbnail.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBareSize } from './bare-size.ts';
import { openLoad } from './burst.ts';
import { writeTwelveMegapixels } from './imaging.ts';
import { report, runAlone } from './limits.ts';
import { median, type Server, startServer } from './measure.ts';
import { createUpload, type Uploaded } from './upload.ts';

/** Each round renders several sizes, because the workers' CPU is counted in steps of 10 ms. */
const madeRounds = 8;
const madePerRound = 12;
/** Number of rounds that send a stored size and a thumbnail. */
const rounds = 15;
const sentPerRound = 1200;

export async function benchSizes(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-sizes-'));
  const [jpeg, preview] = [join(folder, 'photo.jpg'), join(folder, 'preview.jpg')] as const;
  await writeTwelveMegapixels(jpeg, process.env.BENCH_PHOTO);
  const server = await startServer('gallery', join(folder, 'data'));
  try {
    const upload = await createUpload(server, await readFile(jpeg));
    const { thumb } = await upload();
    // The stored size has about as many bytes as a thumbnail.
    const small = thumb.replace('thumb.webp', 'w320.webp');
    await fetched(server, small);
    await writeFile(preview, await fetched(server, thumb.replace('thumb.webp', 'preview.jpg')));
    report(
      'a size of 640 px made over HTTP',
      await timesBareSharp(server, upload, preview),
      'times the CPU of bare sharp',
      1.3,
    );
    const sent = await inTurn(
      rounds,
      () => measureSendingCpu(server, small),
      () => measureSendingCpu(server, thumb),
    );
    report('a size that is there', sent, 'times the CPU of a thumbnail', 1.1);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

async function timesBareSharp(server: Server, upload: () => Promise<Uploaded>, preview: string) {
  const paths: string[] = [];
  // All uploads run first, so that their cleanup does not count as the cost of a size.
  while (paths.length < (madeRounds + 1) * madePerRound) paths.push(sizePath((await upload()).thumb));
  const bare = startBareSize(preview);
  try {
    return await inTurn(
      madeRounds,
      () => measureCpu(server, madePerRound, () => makeSizes(server, paths.splice(0, madePerRound))),
      () => bare.cost(madePerRound),
    );
  } finally {
    await bare.stop();
  }
}

async function makeSizes(server: Server, paths: string[]): Promise<void> {
  for (const path of paths) await fetched(server, path);
}

/**
 * Returns the median of the rounds' ratios; the side that starts alternates. The first round does not count.
 * A slow moment of the machine affects both sides, and the median ignores a round where only one was hit.
 */
async function inTurn(
  rounds: number,
  ours: () => Promise<number>,
  others: () => Promise<number>,
): Promise<number> {
  await ours();
  await others();
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const early = round % 2 === 0 ? await ours() : undefined;
    const other = await others();
    ratios.push((early ?? (await ours())) / other);
  }
  return median(ratios);
}

function sizePath(thumb: string): string {
  return thumb.replace('thumb.webp', 'w640.webp');
}

async function fetched({ url }: Server, path: string): Promise<Uint8Array> {
  const answer = await fetch(url + path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/**
 * Returns CPU microseconds of each piece of work. The usage messages themselves cost CPU, which two messages
 * in a row measure and subtract. Bare sharp reads its own clock right before and after its work.
 */
async function measureCpu(server: Server, many: number, work: () => Promise<unknown>): Promise<number> {
  const before = await server.usage();
  await work();
  const after = await server.usage();
  const asked = await server.usage();
  const asking = asked.cpuMicros - after.cpuMicros;
  return (after.cpuMicros - before.cpuMicros - asking + after.workerMicros - before.workerMicros) / many;
}

async function measureSendingCpu(server: Server, path: string): Promise<number> {
  const load = await openLoad(server.url, 10, () => ({ path }));
  await load.burst(sentPerRound);
  const cost = await measureCpu(server, sentPerRound, () => load.burst(sentPerRound));
  load.close();
  return cost;
}

if (import.meta.main) await runAlone(benchSizes);
