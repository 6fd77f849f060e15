/** Starts an honest user's requests during attacks, and judges their times. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { addPhoto, password, register } from '../../test/support/people.ts';
import type { ServerProcess } from '../../test/support/server-process.ts';
import { atLeast, createInfoFigure, type Figure, none } from '../part.ts';
import type { BystanderData, BystanderTiming } from './bystander.ts';
import type { Machine } from './machine.ts';

export interface Bystander {
  /** Finishes running requests, and resolves with all timings. */
  end(): Promise<BystanderTiming[]>;
}

export async function startBystander(server: ServerProcess): Promise<Bystander> {
  const username = 'honest';
  const owner = await register(server, username);
  const picture = await photoOfTwelveMegapixels();
  const { id } = await addPhoto(owner, {}, picture);
  const workerData: BystanderData = {
    url: server.url,
    token: owner.token!,
    login: { username, password },
    photo: id,
    picture: new Uint8Array(picture),
  };
  const thread = new Worker(new URL('./bystander.ts', import.meta.url), { workerData });
  return {
    async end() {
      const seen = once(thread, 'message');
      thread.postMessage('end');
      const [all] = (await seen) as [BystanderTiming[]];
      await thread.terminate();
      return all;
    },
  };
}

/** Creates a photo of 4 MB: noise, like a sensor's, over soft colors. */
async function photoOfTwelveMegapixels(): Promise<Buffer> {
  const size = { width: 4_000, height: 3_000 };
  const noise = { type: 'gaussian', mean: 120, sigma: 12 } as const;
  return sharp({ create: { ...size, channels: 3, background: '#000', noise } })
    .tint('#c9a26b')
    .jpeg({ quality: 85 })
    .toBuffer();
}

/** Limits in milliseconds for the honest user's uploads and for `/health/ready`. */
const bounds = { upload: 3000, ready: 500 };
/** Cores that other programs may use before they are blamed for a slow response. */
const quietOthers = 0.5;

/**
 * Returns the figures of the honest user. The limits hold for an idle machine; late responses on a busy one
 * are reported apart.
 */
export function honestFigures(seen: BystanderTiming[], machine: Machine, seconds: number): Figure[] {
  const of = (what: BystanderTiming['what']) => seen.filter((one) => one.what === what);
  const late = (what: 'upload' | 'ready') =>
    of(what)
      .filter(({ ms }) => ms > bounds[what])
      .map((one) => ({ ...one, others: machine.others(one.begin, one.begin + one.ms) }));
  const line = ({ ms, others }: { ms: number; others: number }) =>
    `${(ms / 1000).toFixed(1)} s while others used ${others.toFixed(1)} cores`;
  const own = (what: 'upload' | 'ready') => late(what).filter(({ others }) => others < quietOthers);
  const collectNoted = (what: 'upload' | 'ready') => late(what).filter(({ others }) => others >= quietOthers);
  const unanswered = seen.filter(({ status }) => status !== 200);
  return [
    // On a busy machine the minimum is lower, because a user has three uploads at a time.
    atLeast('honest uploads', of('upload').length, Math.floor(seconds / 3)),
    none(
      'honest requests that were not answered by 200',
      unanswered.map(({ what, status }) => `${what} ${status}`),
    ),
    none('honest uploads over 3 s', own('upload').map(line)),
    createInfoFigure(
      'honest uploads over 3 s while others worked',
      reportNoted(collectNoted('upload').map(line)),
    ),
    none('/health/ready over 500 ms', own('ready').map(line)),
    createInfoFigure(
      '/health/ready over 500 ms while others worked',
      reportNoted(collectNoted('ready').map(line)),
    ),
    ...(['upload', 'ready', 'original', 'login'] as const).map((what) =>
      createInfoFigure(`honest ${what}, median, 99th of a hundred, slowest`, formatTimes(of(what))),
    ),
    createInfoFigure('the machine meanwhile', machine.told()),
  ];
}

const reportNoted = (lines: string[]) => [String(lines.length), ...lines.slice(0, 3)].join('; ');

function formatTimes(seen: BystanderTiming[]): string {
  const sorted = seen.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return [at(0.5), at(0.99), at(1)].map((ms) => `${Math.round(ms)} ms`).join(', ');
}
