/** Measures the time from the start of the real server to its first response, and its memory when idle. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { report, runAlone } from './limits.ts';
import { median } from './measure.ts';
import { openPace } from './pace.ts';
import { seed } from './seed.ts';

const large = Number(process.env.BENCH_PHOTOS ?? 1_000_000);
const port = 45_701;
const rounds = 3;
/** Milliseconds after which garbage of the start has been collected. */
const quietMs = 8000;

export async function benchStart(): Promise<void> {
  const dataDir = await seed(large);
  const starts: number[] = [];
  const memories: number[] = [];
  const slownesses: number[] = [];
  const pace = await openPace();
  for (let round = 0; round < rounds; round++) {
    slownesses.push(await pace.slowness());
    const { startMs, idleMb } = await startOnce(dataDir);
    starts.push(startMs);
    memories.push(idleMb);
  }
  await pace.stop();
  console.log(`with ${large} photos, first answers after ${starts.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  report('first answer after the start of the process', median(starts), 'ms', 800, median(slownesses));
  report('idle memory', median(memories), 'MB', 120);
}

async function startOnce(dataDir: string): Promise<{ startMs: number; idleMb: number }> {
  const started = performance.now();
  const server = spawn(process.execPath, [join(import.meta.dirname, '../server/main.js')], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' },
    stdio: 'ignore',
  });
  try {
    await firstAnswer();
    const startMs = performance.now() - started;
    await sleep(quietMs);
    return { startMs, idleMb: await residentMb(server.pid!) };
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}

async function firstAnswer(): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const response = await fetch(`http://127.0.0.1:${port}/api/photos`).catch(() => undefined);
    if (response?.ok) {
      await response.arrayBuffer();
      return;
    }
    await sleep(10);
  }
  throw new Error('the server did not answer');
}

/** Returns VmRSS in megabytes, as `ps` and `top` show it. Runs only on Linux. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

if (import.meta.main) await runAlone(benchStart);
