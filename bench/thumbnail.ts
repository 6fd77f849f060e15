/**
 * Compares the server's CPU per thumbnail with a bare Fastify that sends the same buffers. Bursts alternate
 * between both, and the median ratio counts, so that other work of the machine affects both. `node
 * bench/thumbnail.ts [rounds]`
 */
import { type ChildProcess, fork } from 'node:child_process';
import { type Load, openLoad } from './burst.ts';
import { report, runAlone } from './limits.ts';
import { median, waitForAnswer } from './measure.ts';

const requests = 1000;
const warmUp = 20_000;
const connections = 10;

interface Server {
  process: ChildProcess;
  load: Load;
}

async function start(which: 'bare' | 'ours'): Promise<Server> {
  const program = new URL('./thumbnail-server.ts', import.meta.url);
  const child = fork(program, [which], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const message = await waitForAnswer<{ url: string; paths: string[] }>(child);
  const createRequest = (n: number) => ({ path: message.paths[n % message.paths.length]! });
  return { process: child, load: await openLoad(message.url, connections, createRequest) };
}

/** Returns the CPU microseconds, user and system, that the server has used so far. */
async function readCpu(server: Server): Promise<number> {
  server.process.send('cpu');
  const { user, system } = await waitForAnswer<NodeJS.CpuUsage>(server.process);
  return user + system;
}

/** Returns the CPU microseconds of one request. */
async function measure(server: Server): Promise<number> {
  const before = await readCpu(server);
  await server.load.burst(requests);
  return ((await readCpu(server)) - before) / requests;
}

export async function benchThumbnail(rounds = 100): Promise<void> {
  const [bare, ours] = [await start('bare'), await start('ours')];
  await bare.load.burst(warmUp);
  await ours.load.burst(warmUp);
  const figures = { bare: [] as number[], ours: [] as number[], ratio: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const [bareCpu, ourCpu] = [await measure(bare), await measure(ours)];
    figures.bare.push(bareCpu);
    figures.ours.push(ourCpu);
    figures.ratio.push(ourCpu / bareCpu);
  }
  for (const { load, process } of [bare, ours]) {
    load.close();
    process.kill();
  }
  const costs = `${median(figures.bare).toFixed(1)} and ${median(figures.ours).toFixed(1)} µs CPU a request`;
  report(`thumbnail, bare Fastify and ours: ${costs}`, median(figures.ratio), 'times bare', 1.3);
}

if (import.meta.main) await runAlone(() => benchThumbnail(Number(process.argv[2] ?? 100)));
