/**
 * Measures the CPU of a 12-megapixel upload, compared with a bare sharp script that renders the same sizes.
 * Also measures the memory of sixteen parallel uploads. Each measurement runs in its own process: `node
 * bench/imaging.ts [photo.jpg]`
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ordinaryJobBytes } from '../server/platform/imaging/bounds.ts';
import { computeCleanParts } from '../server/platform/imaging/clean/clean.ts';
import { createImaging, type Imaging } from '../server/platform/imaging/imaging.ts';
import { createWorkerPool } from '../server/platform/imaging/pool/pool.ts';
import { createImagingQueue } from '../server/platform/imaging/queue/queue.ts';
import { sharp } from '../server/platform/imaging/worker/sharp.ts';
import { temporaryName } from '../server/platform/storage/temporary.ts';
import { workerMicros, workerPeakMb } from './worker-usage.ts';

const rounds = 12;
const atOnce = 16;

const measurements: Record<string, (file: string) => Promise<object>> = {
  ours: (file) => withImaging((imaging, folder) => cpuPerRound(() => upload(imaging, file), folder)),
  bare: (file) => cpuPerRound(() => bareSharp(file)),
  bareFromOneDecode: (file) => cpuPerRound(() => bareSharpFromOneDecode(file)),
  memory: (file) => withImaging((imaging, folder) => sixteenAtOnce(imaging, file, folder)),
};

const [what, file] = process.argv.slice(2);
if (import.meta.main && what && file && Object.hasOwn(measurements, what)) {
  console.log(JSON.stringify(await measurements[what]!(file)));
} else if (import.meta.main) {
  await report(what);
}

export async function report(photo: string | undefined): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-imaging-'));
  const jpeg = path.join(folder, 'twelve-megapixels.jpg');
  await writeTwelveMegapixels(jpeg, photo);
  try {
    const ours = await measureApart('ours', jpeg);
    const bare = await measureApart('bare', jpeg);
    const oneDecode = await measureApart('bareFromOneDecode', jpeg);
    const memory = await measureApart('memory', jpeg);
    console.log(`upload of 12 megapixels (inspect, clean copy, exif, renditions): ${ours.cpuMs} ms CPU`);
    console.log(`bare sharp, a pipeline a rendition: ${bare.cpuMs} ms, ratio ${ratio(ours, bare)}`);
    console.log(`bare sharp, one decode for both: ${oneDecode.cpuMs} ms, ratio ${ratio(ours, oneDecode)}`);
    console.log(
      `${atOnce} uploads at once: peak ${memory.peakMb} MB, idle before ${memory.idleMb} MB, workers ${memory.workersMb} MB`,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs one of the measurements above in its own process. */
export async function measureApart(name: string, jpeg: string): Promise<Record<string, number>> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, name, jpeg]);
  return JSON.parse(stdout);
}

/**
 * Writes a picture of 4000 × 3000 pixels from `photo`, or noise over a gradient, which is harder to encode
 * than most photos.
 */
export async function writeTwelveMegapixels(target: string, photo: string | undefined): Promise<void> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 12 };
  const source = photo
    ? sharp(photo, { autoOrient: true })
    : sharp({ create: { width: 2000, height: 1500, channels: 3, background: 'grey', noise } });
  await source.resize({ width: 4000, height: 3000, fit: 'cover' }).jpeg({ quality: 90 }).toFile(target);
}

/** Runs `work` with picture workers whose folders lie in `folder`, as in a data folder. */
async function withImaging<Result>(
  work: (imaging: Imaging, folder: string) => Promise<Result>,
): Promise<Result> {
  const cores = availableParallelism();
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-workers-'));
  const imaging = createImaging({
    queue: createImagingQueue({ concurrency: cores, maxWaiting: atOnce }),
    pool: createWorkerPool({
      folder: path.join(folder, 'workers'),
      newName: temporaryName,
      maxIdle: cores,
      ordinaryBytes: ordinaryJobBytes,
    }),
  });
  try {
    return await work(imaging, folder);
  } finally {
    await imaging.close();
    await rm(folder, { recursive: true });
  }
}

async function upload(imaging: Imaging, jpeg: string): Promise<void> {
  const { inspection } = await imaging.upload(jpeg);
  await computeCleanParts(jpeg, inspection.format, inspection.orientation);
}

async function bareSharp(jpeg: string): Promise<void> {
  await open(jpeg).resize(1600, 1600, { fit: 'inside' }).jpeg({ quality: 80 }).toBuffer();
  await open(jpeg).resize(400, 400, { fit: 'inside' }).webp({ quality: 80, effort: 2 }).toBuffer();
}

async function bareSharpFromOneDecode(jpeg: string): Promise<void> {
  const preview = open(jpeg).resize(1600, 1600, { fit: 'inside' });
  const { data, info } = await preview.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const raw = { raw: { width, height, channels } };
  await sharp(data, raw).jpeg({ quality: 80 }).toBuffer();
  await sharp(data, raw).resize(400, 400, { fit: 'inside' }).webp({ quality: 80, effort: 2 }).toBuffer();
}

function open(jpeg: string) {
  return sharp(jpeg, { autoOrient: true });
}

/** Returns the CPU of a round in this process and in the workers whose folders lie in `folder`. */
async function cpuPerRound(round: () => Promise<void>, folder?: string): Promise<{ cpuMs: number }> {
  const workers = async () => (folder === undefined ? 0 : await workerMicros(folder));
  for (let warmUp = 0; warmUp < 3; warmUp++) await round();
  const workersBefore = await workers();
  const before = process.cpuUsage();
  for (let index = 0; index < rounds; index++) await round();
  const { user, system } = process.cpuUsage(before);
  const micros = user + system + (await workers()) - workersBefore;
  return { cpuMs: Math.round(micros / 1000 / rounds) };
}

async function sixteenAtOnce(imaging: Imaging, jpeg: string, folder: string) {
  const idleMb = Math.round(process.memoryUsage().rss / 1e6);
  await Promise.all(Array.from({ length: atOnce }, () => upload(imaging, jpeg)));
  const peakMb = Math.round((process.resourceUsage().maxRSS * 1024) / 1e6);
  return { idleMb, peakMb, workersMb: Math.round(workerPeakMb(folder)) };
}

function ratio(ours: Record<string, number>, other: Record<string, number>): string {
  return (ours.cpuMs! / other.cpuMs!).toFixed(2);
}
