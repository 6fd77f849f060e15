/**
 * Benchmarks 12-megapixel uploads over HTTP with all their work: receiving, hashing, rendering, fsync and the
 * row. Compares with a bare sharp script that renders the same two sizes, and measures the memory of sixteen
 * parallel uploads.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureApart, writeTwelveMegapixels } from './imaging.ts';
import { report, runAlone } from './limits.ts';
import { median, type Server, startServer } from './measure.ts';

const rounds = 5;
const uploadsPerRound = 6;
const atOnce = 16;

export async function benchUpload(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-upload-'));
  const jpeg = join(folder, 'twelve-megapixels.jpg');
  await writeTwelveMegapixels(jpeg, process.env.BENCH_PHOTO);
  const server = await startServer('gallery', join(folder, 'data'));
  try {
    const upload = await createUpload(server, await readFile(jpeg));
    for (let warmUp = 0; warmUp < 3; warmUp++) await upload();
    const ours: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const cost = await measureUploadCpu(server, upload);
      const bare = await measureApart('bare', jpeg);
      ours.push(cost);
      ratios.push(cost / bare.cpuMs!);
    }
    const cost = median(ours).toFixed(0);
    report(
      `upload of a 12-megapixel JPEG over HTTP: ${cost} ms CPU`,
      median(ratios),
      'times bare sharp',
      1.15,
    );
    await Promise.all(Array.from({ length: atOnce }, upload));
    const { peakMb, workerPeakMb } = await server.usage();
    console.log(
      `${atOnce} such uploads at once: peak memory ${peakMb.toFixed(0)} MB, of picture workers ${workerPeakMb.toFixed(0)} MB`,
    );
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

/** Returns the CPU milliseconds of the server and its picture workers. */
async function measureUploadCpu(server: Server, upload: () => Promise<Uploaded>): Promise<number> {
  const before = await server.usage();
  for (let count = 0; count < uploadsPerRound; count++) await upload();
  const after = await server.usage();
  const micros = after.cpuMicros + after.workerMicros - before.cpuMicros - before.workerMicros;
  return micros / 1000 / uploadsPerRound;
}

export interface Uploaded {
  id: number;
  thumb: string;
}

export async function createUpload({ url }: Server, file: Buffer): Promise<() => Promise<Uploaded>> {
  const response = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bench', email: 'bench@example.org', password: 'a bench to sit on' }),
  });
  const { data } = (await response.json()) as { data: { token: string } };
  return async () => {
    const form = new FormData();
    form.append('title', 'Twelve megapixels');
    form.append('file', new Blob([new Uint8Array(file)]), 'photo.jpg');
    const answer = await fetch(`${url}/api/photos/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${data.token}` },
      body: form,
    });
    if (!answer.ok) throw new Error(`the upload was refused: ${await answer.text()}`);
    return ((await answer.json()) as { data: Uploaded }).data;
  };
}

if (import.meta.main) await runAlone(benchUpload);
