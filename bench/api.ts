/**
 * Benchmarks lists, deep pages and keywords at a thousand and at a million photos, as ratios to a bare
 * Fastify.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchCompression } from './compression.ts';
import { costsInTurn } from './in-turn.ts';
import { report, runAlone } from './limits.ts';
import { latencies, median, type Server, startServer } from './measure.ts';
import { planted, seed, viewerToken } from './seed.ts';

const small = 1000;
const large = Number(process.env.BENCH_PHOTOS ?? 1_000_000);
/** Limit of a list, in multiples of bare Fastify's CPU. */
const maxListShare = 7;
const signedIn = { authorization: `Bearer ${viewerToken}` };

export async function benchApi(): Promise<void> {
  const few = await startServer('gallery', await seed(small));
  const many = await startServer('gallery', await seed(large));
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    await benchLists(few, many, folder);
    await benchCompression(many);
    await benchDeepPages(many);
    await benchKeywords(many);
    const { rssMb } = await many.usage();
    console.log(`memory after all of this: ${rssMb.toFixed(0)} MB`);
  } finally {
    await Promise.all([few.stop(), many.stop()]);
    await rm(folder, { recursive: true });
  }
}

/** Reports the median ratios of bursts that alternate between the servers. */
async function benchLists(few: Server, many: Server, folder: string): Promise<void> {
  const file = join(folder, 'list.json');
  await writeFile(file, await (await fetch(`${many.url}/api/photos`)).text());
  const bare = await startServer('bare', file, 'application/json; charset=utf-8');
  const anonymous = () => ({ path: '/api/photos' });
  const asViewer = () => ({ path: '/api/photos', token: viewerToken });
  const costs: Record<string, number[]> = await costsInTurn({
    bare: { server: bare, createRequest: anonymous },
    [`list of 20, ${small}, anonymous`]: { server: few, createRequest: anonymous },
    [`list of 20, ${large}, anonymous`]: { server: many, createRequest: anonymous },
    [`list of 20, ${small}, signed in`]: { server: few, createRequest: asViewer },
    [`list of 20, ${large}, signed in`]: { server: many, createRequest: asViewer },
  });
  await bare.stop();
  console.log(`bare Fastify, same bytes: ${median(costs.bare!).toFixed(1)} µs CPU a request`);
  for (const [name, values] of Object.entries(costs)) {
    if (name === 'bare') continue;
    const ratio = median(values.map((value, round) => value / costs.bare![round]!));
    report(`${name}: ${median(values).toFixed(1)} µs`, ratio, 'times bare', maxListShare);
  }
}

async function benchDeepPages(many: Server): Promise<void> {
  const last = Math.floor((large * 0.8) / 20);
  for (const page of new Set([Math.min(40_000, last), Math.round(last * 0.6)])) {
    await reportLatency(`page ${page}`, many, `/api/photos?page=${page}`);
    await reportLatency(`page ${page}, signed in`, many, `/api/photos?page=${page}`, signedIn);
  }
  await reportLatency('page 1 by views', many, '/api/photos?sort=views');
  await reportLatency(
    'page 1 by title, ascending, signed in',
    many,
    '/api/photos?sort=title&order=asc',
    signedIn,
  );
}

async function benchKeywords(many: Server): Promise<void> {
  for (const [share, keywords] of Object.entries(planted)) {
    for (const keyword of keywords) {
      const path = `/api/photos?keyword=${encodeURIComponent(keyword)}`;
      await reportLatency(`keyword ${keyword} (${share})`, many, path);
      await reportLatency(`keyword ${keyword} (${share}), signed in`, many, path, signedIn);
    }
  }
  await reportLatency('keyword sunset by views', many, '/api/photos?keyword=sunset&sort=views');
  await reportLatency('keyword sunset, page 2000', many, '/api/photos?keyword=sunset&page=2000');
  await reportLatency('keyword of one character', many, `/api/photos?keyword=${encodeURIComponent('日')}`);
}

async function reportLatency(
  name: string,
  server: Server,
  path: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const { median, worst } = await latencies(server, path, headers);
  console.log(`${name}: median ${median.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`);
}

if (import.meta.main) await runAlone(benchApi);
