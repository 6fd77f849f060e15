/**
 * Sends small files that contain huge pictures to a server with a memory limit (a control group). Prints the
 * responses, their cost, and the time of `/health/live` on this server and on an idle one. Also prints the
 * longest period in which the main thread was busy (loop.ts). `node bench/hostile.ts [megabytes] [name]`
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createLargeJpeg,
  createLosslessWebp,
  createManyDirectoryTiff,
  createNoisyTiff,
  createPngInPieces,
  createSolidAvif,
  createSolidTiff,
} from '../test/support/hostile-pictures.ts';
import { createMemoryGroup } from '../test/support/memory-group.ts';
import { type Person, register } from '../test/support/people.ts';
import { type ServerProcess, startServer } from '../test/support/server-process.ts';

const blur = { action: 'filter', params: { type: 'blur', value: 100 } };
const sharpen = { action: 'filter', params: { type: 'sharpen', value: 10 } };
const turn = { action: 'rotate', params: { angle: 90 } };

const cases: [name: string, picture: () => Buffer | Promise<Buffer>, steps: object[]][] = [
  ['JPEG 102 MP, turned by Exif, then rotate, blur', () => createLargeJpeg(6), [turn, blur]],
  ['AVIF RGBA 24 MP', () => createSolidAvif({ width: 6_000, height: 4_000 }), []],
  ['AVIF RGBA 100 MP', () => createSolidAvif({ width: 9_990, height: 9_990 }), []],
  ['WebP lossless 100 MP, then blur, sharpen', () => createLosslessWebp(), [blur, sharpen]],
  ['TIFF RGBA 100 MP of noise', () => createNoisyTiff(), []],
  ['TIFF RGBA 100 MP solid, then rotate', () => createSolidTiff(), [turn]],
  ['PNG RGBA 100 MP in pieces, then rotate', () => createPngInPieces(), [turn]],
  ['TIFF with 300,000 directories', () => createManyDirectoryTiff(300_000), []],
];

const megabytes = Number(process.argv[2] ?? 1024);
const only = process.argv[3] ?? '';

for (const [name, picture, steps] of cases)
  if (name.includes(only)) await measure(name, await picture(), steps);

/** Measures each picture on its own server, so that memory figures do not mix. */
async function measure(name: string, picture: Buffer, steps: object[]): Promise<void> {
  const group = createMemoryGroup(megabytes * 1024 * 1024);
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-hostile-'));
  const environment = { NODE_OPTIONS: `--import ${join(import.meta.dirname, 'loop.ts')}` };
  const server = await startServer({ dataDir, environment, ...(group && { under: group.under }) });
  const idleDir = await mkdtemp(join(tmpdir(), 'bench-idle-'));
  const idle = await startServer({ dataDir: idleDir });
  const started = server.output().length;
  const ended = new AbortController();
  const health = [server, idle].map((each) => watchHealth(each, ended.signal));
  const results: string[] = [];
  try {
    const person = await register(server, 'mallory');
    for await (const result of attempts(person, picture, steps)) {
      results.push(`${result} (peak ${Math.round((server.peakMemory() ?? 0) / 1e6)} MB)`);
    }
  } catch (error) {
    results.push(`LOST: ${(error as Error).message}`);
  }
  ended.abort();
  const [busy, other] = await Promise.all(health);
  const worked = [
    ...server
      .output()
      .slice(started)
      .matchAll(/^worked for (\d+) ms$/gm),
  ].map(([, ms]) => Number(ms));
  console.log(
    `${name}, ${picture.length} bytes: ${results.join(', ')}; CPU ${cpuSeconds(server)} s; ` +
      `health at most ${busy} ms, of an idle server ${other} ms at a load of ${loadavg()[0]!.toFixed(0)}; ` +
      `main thread at work at most ${Math.max(15, ...worked)} ms; killed ${group?.kills() ?? 'without a group'}`,
  );
  await idle.end('SIGKILL');
  await server.end('SIGKILL');
  await new Promise((resolve) => setTimeout(resolve, 200));
  group?.remove();
  for (const folder of [dataDir, idleDir]) await rm(folder, { recursive: true, force: true });
}

async function* attempts(person: Person, picture: Buffer, steps: object[]): AsyncGenerator<string> {
  const start = performance.now();
  const { status, body } = await person.upload(picture);
  yield `upload ${status} ${body.code || ''} in ${seconds(start)} s`;
  if (status !== 200) return;
  for (const step of steps) {
    const begun = performance.now();
    const edited = await person.post(`/api/photos/${body.data.id}/edit`, step);
    yield `edit ${edited.status} ${edited.body.message} in ${seconds(begun)} s`;
  }
}

/** Returns the CPU seconds of all threads, or NaN after the process has ended. */
function cpuSeconds({ pid }: ServerProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

function seconds(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}

async function watchHealth({ url }: ServerProcess, signal: AbortSignal): Promise<number> {
  let longest = 0;
  while (!signal.aborted) {
    const start = performance.now();
    await fetch(`${url}/health/live`).catch(() => {});
    longest = Math.max(longest, performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return Math.round(longest);
}
