/**
 * `clients`: attackers disconnect, drip bytes, pipeline, never read or stay idle, and other clients must not
 * notice.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { listTemporaryFiles } from '../../test/support/gallery-counts.ts';
import { addPhoto, type Person, register } from '../../test/support/people.ts';
import { createJpeg } from '../../test/support/pictures.ts';
import { createRandom } from '../../test/support/random.ts';
import { type ServerProcess, startServer } from '../../test/support/server-process.ts';
import { atMost, type Figure, none, type Part, type Surroundings } from '../part.ts';
import { type Attack, attacks, type Target } from './attacks.ts';
import type { ProbeData, ProbeResult } from './probe.ts';
import { createSockets } from './sockets.ts';

/** Limit of the waiting time of other clients, in multiples of their waiting time without an attack. */
const maxSlower = 10;
/**
 * Minimum of the usual waiting time in milliseconds, because the 99th percentile of a small gallery can be
 * even lower.
 */
const minQuietMs = 5;
/** Minimum duration of an attack, so that the 99th percentile is not a request of its first moment. */
const minSufferedMs = 6000;
/** Additional time in which all attacking connections must have opened. */
const longestOpeningMs = 20_000;
const largeBytes = 28_000_000;
/** Limit of memory growth during an attack: an eighth of a server with 4 GB. */
const maxGrowthMb = 512;
/**
 * Time for the server to notice closed connections: it checks once a second, and reads incoming data for half
 * a minute.
 */
const afterwardsMs = 45_000;
/** Connection states in the system's table: established, and closed by the other side only. */
const heldStates = new Set(['01', '08']);

export const clients: Part = {
  name: 'clients',
  about: 'clients that vanish, drip, pipeline, never read or only sit there, while others look at photos',
  share: 10,
  async run(surroundings) {
    const { home, seed } = surroundings;
    const server = await startServer({ dataDir: home.dataDir, environment: home.environment });
    const { hostname, port } = new URL(server.url);
    const sockets = createSockets(hostname, Number(port));
    try {
      const owner = await register(server, 'owner');
      const target: Target = {
        sockets,
        random: createRandom(seed),
        token: owner.token!,
        large: await addLarge(owner),
        picture: randomBytes(400_000),
      };
      const probe = startProbe(await probeData(owner, server));
      try {
        return await attackAll(surroundings, server, target, () => look(probe));
      } finally {
        await probe.terminate();
      }
    } finally {
      sockets.destroyAll();
      await server.end('SIGKILL');
    }
  },
};

async function attackAll(
  { milliseconds, tell, home }: Surroundings,
  server: ServerProcess,
  target: Target,
  seen: () => Promise<ProbeResult>,
): Promise<Figure[]> {
  const each = (milliseconds - afterwardsMs / 3) / attacks.length;
  await pause(1000);
  const before = readMemoryMb(server);
  const figures: Figure[] = [];
  let most = 0;
  for (const attack of attacks) {
    // Measurements without and with the attack alternate, so that other work of the machine affects both.
    await seen();
    await pause(each / 3);
    const quiet = await seen();
    const opened = target.sockets.opened();
    const { found, memory, held } = await measureUnderAttack(
      attack,
      target,
      Math.max(each / 2, minSufferedMs),
      seen,
      server,
    );
    await pause(each / 6);
    most = Math.max(most, memory);
    tell(`${attack.name}: ${shown(found)}, ${memory} MB; in quiet p99 ${quiet.p99.toFixed(1)} ms`);
    figures.push(createLatencyFigure(attack, found, quiet));
    figures.push(createConnectionFigure(attack, held, target.sockets.opened() - opened));
  }
  figures.push(atMost('memory above that in quiet', most - before, maxGrowthMb, 'MB'));
  figures.push(none('connections, open files and temporary files left', await settled(server, home.dataDir)));
  return figures;
}

function createLatencyFigure({ name }: Attack, { p99, lost }: ProbeResult, quiet: ProbeResult): Figure {
  const slower = p99 / Math.max(quiet.p99, minQuietMs);
  const examples = lost.length > 0 ? ` (${lost.slice(0, 3).join('; ')})` : '';
  return {
    name: `others during ${name}: p99 next to quiet, requests without a 200`,
    value: `${slower.toFixed(1)} times, ${lost.length}${examples}`,
    limit: `at most ${maxSlower} times (of ${minQuietMs} ms at least), 0`,
    isHeld: slower <= maxSlower && lost.length === 0,
  };
}

/** Connections that the server closes are opened again, so more may be opened than the server holds. */
function createConnectionFigure({ name, holds }: Attack, held: number, opened: number): Figure {
  return {
    name: `connections of ${name}: held by the server at most, opened`,
    value: `${held}, ${opened}`,
    ...(holds && { limit: `at least ${holds} held` }),
    isHeld: held >= (holds ?? 0),
  };
}

async function measureUnderAttack(
  attack: Attack,
  target: Target,
  milliseconds: number,
  seen: () => Promise<ProbeResult>,
  server: ServerProcess,
): Promise<{ found: ProbeResult; memory: number; held: number }> {
  const controller = new AbortController();
  const ended = attack.run(target, controller.signal);
  await seen();
  let [memory, held] = [0, 0];
  const end = Date.now() + milliseconds;
  // The system retries a connection seconds later if the accept queue was full.
  const isOpening = () => held < (attack.holds ?? 0) && Date.now() < end + longestOpeningMs;
  for (; Date.now() < end || isOpening(); await pause(200)) {
    memory = Math.max(memory, readMemoryMb(server));
    held = Math.max(held, attackersConnected(server).length);
  }
  const found = await seen();
  controller.abort();
  await ended;
  target.sockets.destroyAll();
  return { found, memory, held };
}

/** Waits until the server holds nothing of the attack any more, up to a time limit. Returns what is left. */
async function settled(server: ServerProcess, dataDir: string): Promise<string[]> {
  for (const end = Date.now() + afterwardsMs; ; await pause(500)) {
    const left = [
      ...attackersConnected(server),
      ...photosOpen(server, dataDir),
      ...(await listTemporaryFiles(dataDir)),
    ];
    if (left.length === 0 || Date.now() > end) return left;
  }
}

/** Returns the server's open connections to an attacker. */
function attackersConnected({ url }: ServerProcess): string[] {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, remote, state]) => {
      const isOurs = local!.endsWith(`:${port}`) && remote!.slice(2, 8) === '01007F';
      return isOurs && heldStates.has(state!);
    })
    .map(([, , remote]) => `connection of ${remote}`);
}

/** Returns the photo files and temporary files that the server has open. */
function photosOpen({ pid }: ServerProcess, dataDir: string): string[] {
  const targets = readdirSync(`/proc/${pid}/fd`).map((number) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${number}`);
    } catch {
      return '';
    }
  });
  return targets.filter((path) =>
    ['files', 'tmp'].some((folder) => path.startsWith(`${dataDir}/${folder}/`)),
  );
}

async function addLarge(owner: Person): Promise<string> {
  // Bytes after the picture are part of the original, and need no decoding.
  const file = Buffer.concat([await createJpeg(), randomBytes(largeBytes)]);
  return (await addPhoto(owner, { is_public: '0' }, file)).path;
}

async function probeData(owner: Person, { url }: ServerProcess): Promise<ProbeData> {
  const photos = [];
  for (let n = 0; n < 30; n++) photos.push(await addPhoto(owner, { title: `Photo ${n}` }));
  const { hostname, port } = new URL(url);
  const [photo] = photos;
  const paths = ['/api/photos', `/api/photos/${photo!.id}`, photo!.thumb, '/health/live'];
  return { host: hostname, port: Number(port), paths };
}

function startProbe(workerData: ProbeData): Worker {
  return new Worker(new URL('probe.ts', import.meta.url), { workerData });
}

async function look(probe: Worker): Promise<ProbeResult> {
  probe.postMessage('');
  const [seen] = (await once(probe, 'message')) as [ProbeResult];
  return seen;
}

function shown({ asked, lost, median, p99 }: ProbeResult): string {
  return `${asked} requests of others, median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${lost.length} lost`;
}

function readMemoryMb({ pid }: ServerProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}
