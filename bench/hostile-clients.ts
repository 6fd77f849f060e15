/**
 * Attacks the real server under a memory limit: `node bench/hostile-clients.ts [MB]`, as root with writable
 * cgroup v1. Prints for each attack the memory (VmRSS, and the whole group), open descriptors during and
 * after it, and the server's CPU. Also prints the slowest response of /health/live; on a busy machine,
 * compare that time with the first line.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { addPhoto, register } from '../test/support/people.ts';
import { createJpeg } from '../test/support/pictures.ts';
import { startServer } from '../test/support/server-process.ts';

const megabytes = Number(process.argv[2] ?? 1024);
const group = `/sys/fs/cgroup/memory/lightwell-bench-${process.pid}`;
const originalBytes = 28_000_000;
const limited = limitMemory();
console.log(limited ? `limit: ${megabytes} MB, cgroup v1` : 'NO LIMIT: cgroup v1 is not writable');

const dataDir = mkdtempSync(join(tmpdir(), 'lightwell-hostile-'));
const server = await startServer({
  dataDir,
  under: limited ? ['sh', '-c', `echo $$ > ${group}/cgroup.procs && "$@"; exit $?`, 'sh'] : [],
});
const owner = await register(server, 'owner');
const file = Buffer.concat([await createJpeg(), randomBytes(originalBytes)]);
const { path } = await addPhoto(owner, {}, file);
const token = { Authorization: `Bearer ${owner.token}` };
const form = { ...token, 'Content-Type': 'multipart/form-data; boundary=edge', 'Content-Length': '1000000' };
const part = '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';

const { hostname: host, port } = new URL(server.url);
const probe = new Worker(new URL('live-probe.js', import.meta.url), {
  workerData: { host, port: Number(port) },
});

const sockets: Socket[] = [];
await attack('nothing, to compare with', 0, '');
await attack('1,000 pipelined originals on 1 connection', 1, request('GET', path, token).repeat(1000));
await attack('1,000 pipelined originals on each of 20', 20, request('GET', path, token).repeat(1000));
await attack('300 readers of an original that never read', 300, request('GET', path, token));
await attack('1,200 connections that never read', 1200, request('GET', path, token));
await attack('2,000 pipelined /metrics on each of 5', 5, request('GET', '/metrics').repeat(2000));
await attack('2,000 pipelined lists on each of 5', 5, request('GET', '/api/photos?limit=100').repeat(2000));
await attack('400 uploads that send nothing more', 400, request('POST', '/api/photos/upload', form) + part);
const alive = await fetch(server.url + path, { headers: token }).then((answer) => answer.arrayBuffer());
console.log(`the original is still served: ${Buffer.from(alive).equals(file)}`);
await probe.terminate();
await server.end('SIGTERM');
rmSync(dataDir, { recursive: true, force: true });
if (limited) rmdirSync(group);

function limitMemory(): boolean {
  try {
    mkdirSync(group);
    writeFileSync(join(group, 'memory.limit_in_bytes'), `${megabytes}M`);
    return true;
  } catch {
    return false;
  }
}

function request(method: string, target: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

async function attack(what: string, connections: number, bytes: string): Promise<void> {
  const before = descriptors();
  const cpuBefore = cpu();
  await slowestLive();
  const { hostname, port } = new URL(server.url);
  for (let n = 0; n < connections; n++) {
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => {}).write(bytes);
    sockets.push(socket);
  }
  let [rss, held, open] = [0, 0, 0];
  for (const end = Date.now() + 5000; Date.now() < end; await pause(50)) {
    [rss, held] = [Math.max(rss, rssNow()), Math.max(held, groupNow())];
    open = Math.max(open, descriptors());
  }
  const slowest = await slowestLive();
  for (const socket of sockets.splice(0)) socket.destroy();
  await pause(2000);
  console.log(
    `${what}: RSS ${mb(rss)}, group ${mb(held)}; descriptors ${before} -> ${open} -> ${descriptors()}; ` +
      `server CPU ${cpu() - cpuBefore} ms, /health/live at most ${Math.round(slowest)} ms; RSS afterwards ${mb(rssNow())}`,
  );
}

/** Returns the milliseconds of the slowest /health/live response since the last call. */
async function slowestLive(): Promise<number> {
  probe.postMessage('');
  const [ms] = (await once(probe, 'message')) as [number];
  return ms;
}

function descriptors(): number {
  return readdirSync(`/proc/${server.pid}/fd`).length;
}

function rssNow(): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** Returns the CPU milliseconds of the whole process, which no pause of the event loop can exceed. */
function cpu(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function groupNow(): number {
  return limited ? Number(readFileSync(join(group, 'memory.usage_in_bytes'), 'utf8')) : 0;
}

function mb(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
