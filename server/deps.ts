/** What every module works with: one plain object, made in one place, handed to `createApp`. */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type Counters, createCounters } from './db/counters.ts';
import { type Database, openDatabase } from './db/index.ts';
import { hasSqlite, sqliteFile } from './db/place.ts';
import type { ReadThrough } from './db/version-cache.ts';
import { claimStorage, foreignPhotos, holdsObjects, refuseForeignPhotos } from './files/claim.ts';
import { readSecret } from './files/secret.ts';
import { createAnswers } from './http/answer-cache.ts';
import { errors } from './http/errors.ts';
import { createGate, createSharedGate, type Gate, type SharedGate } from './http/gate.ts';
import { createPurses, type MakePurse } from './http/purses.ts';
import { createImagingQueue, type ImagingQueue } from './imaging/queue.ts';
import type { Redis } from './redis/connection.ts';
import { openStorage, type Storage } from './storage/index.ts';
import { createWebhookSignals, type WebhookSignals } from './webhooks/signals.ts';

/** Files being received at once: each holds a temporary file of up to MAX_UPLOAD_MB. */
const mostUploads = 200;
/** Images in line for their turn, at about a second each. */
const mostWaitingImages = 64;
/** Archives being sent at once: each may take hours, an open file and a few megabytes; so many for one caller. */
const mostArchives = 16;
const mostArchivesEach = 2;

/** Seconds since 1970, UTC. */
export type Clock = () => number;

export interface Deps {
  config: Config;
  db: Database;
  storage: Storage;
  imaging: ImagingQueue;
  /** Bounds how many files are being received. */
  uploads: Gate;
  /** Bounds how many archives are being sent, by user or address. */
  archives: SharedGate;
  /** Undefined without REDIS_URL. */
  redis: Redis | undefined;
  /** What counts requests and tries. */
  makePurse: MakePurse;
  /** Whole answers of lists, as long as they are true: http/answer-cache.ts. */
  answers: ReadThrough<Buffer>;
  /** Views and downloads, gathered and written in batches. */
  counters: Counters;
  /** Wakes the dispatcher of webhooks. */
  webhooks: WebhookSignals;
  clock: Clock;
  log: Logger;
  /** Signs image paths and share accesses. */
  secret: string;
}

export const systemClock: Clock = () => Math.floor(Date.now() / 1000);

/** Opens everything that the configuration names. `closeDeps` ends it again. */
export async function openDeps(config: Config, log: Logger, clock: Clock = systemClock): Promise<Deps> {
  const storage = await openStorage({
    dataDir: config.dataDir,
    url: config.storageUrl,
    keys: config.storageKeys,
    redirect: config.storageRedirect,
  });
  const { dataDir, databaseUrl } = config;
  const isNew = databaseUrl === undefined && !hasSqlite(dataDir);
  if (isNew && (await holdsObjects(storage))) throw foreignPhotos(sqliteFile(dataDir), storage);
  const db = await openDatabase({
    dataDir: config.dataDir,
    url: config.databaseUrl,
    limits: config.databaseLimits,
    onError: (error) => log.warn({ err: error }, 'trouble with a connection to the database'),
    // Before there are tables: whoever restores the right database finds the place as it was.
    beforeMigrating: (opened) => refuseForeignPhotos(opened, storage),
  });
  try {
    await claimStorage(db, storage);
  } catch (error) {
    await db.close();
    throw error;
  }
  const secret = config.secret ?? (await readSecret(db));
  const redis = await connectRedis(config, secret, log);
  /** Of what this machine can bear, the part of one worker. */
  const share = (whole: number) => Math.max(1, Math.ceil(whole / config.workers));
  return {
    config,
    db,
    storage,
    imaging: createImagingQueue({
      concurrency: share(availableParallelism()),
      maxWaiting: share(mostWaitingImages),
    }),
    uploads: createGate(share(mostUploads), () => errors.busy({ retryAfter: 5 })),
    archives: createSharedGate({
      most: share(mostArchives),
      mostEach: share(mostArchivesEach),
      refuse: () => errors.busy({ message: 'Too many archives are being sent', retryAfter: 30 }),
    }),
    redis,
    makePurse: createPurses(redis),
    answers: createAnswers(db),
    counters: createCounters(db, log),
    webhooks: createWebhookSignals(),
    clock,
    log,
    secret,
  };
}

async function connectRedis({ redisUrl }: Config, secret: string, log: Logger): Promise<Redis | undefined> {
  if (!redisUrl) return undefined;
  const { openRedis } = await import('./redis/connection.ts');
  // The gallery's own, the same in all of its processes, and no help to whoever reads it.
  const gallery = createHash('sha256').update(`redis ${secret}`).digest('hex').slice(0, 12);
  return openRedis({ url: redisUrl, prefix: `lightwell:${gallery}:`, log });
}

export async function closeDeps(deps: Deps): Promise<void> {
  await deps.imaging.drain();
  await deps.counters.flush();
  await deps.redis?.close();
  await deps.db.close();
}
