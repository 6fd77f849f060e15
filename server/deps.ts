/** What every module works with: one plain object, made in one place, handed to `createApp`. */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { createFairQueue, type FairQueue } from './platform/concurrency/fair-queue.ts';
import { type ConnectionBounds, connectionBounds } from './platform/connections/bounds.ts';
import { type Database, type DatabaseOptions, openDatabase } from './platform/db/index.ts';
import { hasSqlite, sqliteFile } from './platform/db/place.ts';
import { readSecret } from './platform/db/secret.ts';
import { errors } from './platform/errors/catalogue.ts';
import { createSharedGate, type SharedGate } from './platform/errors/gate.ts';
import { createRateLimiters, type MakeRateLimiter } from './platform/http/rate-limiters.ts';
import { createImagingQueue, type ImagingQueue } from './platform/imaging/queue/queue.ts';
import { whenReachable } from './platform/operations/when-reachable.ts';
import {
  claimStorage,
  foreignPhotos,
  holdsObjects,
  refuseForeignPhotos,
} from './platform/ownership/claim.ts';
import { type Clock, systemClock } from './platform/process/clock.ts';
import { memoryLimit } from './platform/process/memory-limit.ts';
import type { Redis } from './platform/redis/connection.ts';
import { openStorage } from './platform/storage/open.ts';
import type { Storage } from './platform/storage/storage.ts';

/** Files being received at once: each holds a temporary file of up to MAX_UPLOAD_MB. */
const maxUploads = 200;
/** Of one user, and of one address, behind which a club may be. */
const maxUploadsPerUser = 8;
const maxUploadsPerAddress = 50;
/** Meanwhile nothing of them is read: a connection is all that they take. */
const uploadWaitMs = 30_000;
/** Files being sent at once that are too large to be in memory: a descriptor and some 200 KB each. */
const maxStreams = 256;
/** A page of a hundred originals over HTTP/2 asks for all of them at once; those that wait cost nothing. */
const maxStreamsPerCaller = 32;
const maxWaitingStreams = 2000;
const maxWaitingStreamsPerCaller = 300;
const streamWaitMs = 30_000;
/** Images that wait for their turn, at about a second each. */
const maxWaitingImages = 128;
/** Of one address, behind which a club may be; and of one user, who may send an album's worth of them at once. */
const maxWaitingImagesPerAddress = 64;
const maxWaitingImagesPerUser = 24;
/** What pictures may take of the memory there is: the rest is for the process itself, and for files on their way. */
const imagingPart = 0.6;
/** Archives being sent at once: each may take hours, an open file and a few megabytes; so many for one caller. */
const maxArchives = 16;
const maxArchivesPerCaller = 2;
const maxArchivesPerAddress = 6;

export interface Deps {
  config: Config;
  db: Database;
  storage: Storage;
  imaging: ImagingQueue;
  /** What one client's connections may do. */
  connectionBounds: ConnectionBounds;
  /** Bounds how many files are being received, by user and by address. */
  uploads: FairQueue;
  /** Bounds how many large files are being sent, by address. */
  streams: FairQueue;
  /** Bounds how many archives are being sent, by user or address. */
  archives: SharedGate;
  /** The same by address alone: an account costs nothing, an address does. */
  archivesPerAddress: SharedGate;
  /** Undefined without REDIS_URL. */
  redis: Redis | undefined;
  /** What counts requests and tries. */
  makeRateLimiter: MakeRateLimiter;
  clock: Clock;
  log: Logger;
  /** Signs image paths and share accesses. */
  secret: string;
}

/** Opens everything that the configuration names. `closeDeps` ends it again. */
export async function openDeps(config: Config, log: Logger, clock: Clock = systemClock): Promise<Deps> {
  const reach = { timeoutMs: config.startTimeoutMs, log };
  const place = {
    dataDir: config.dataDir,
    url: config.storageUrl,
    keys: config.storageKeys,
    redirect: config.storageRedirect,
  };
  const storage = await whenReachable(() => openStorage(place), reach);
  const { dataDir, databaseUrl } = config;
  const isNew = databaseUrl === undefined && !hasSqlite(dataDir);
  if (isNew && (await holdsObjects(storage))) throw foreignPhotos(sqliteFile(dataDir), storage);
  const database: DatabaseOptions = {
    dataDir: config.dataDir,
    url: config.databaseUrl,
    limits: config.databaseLimits,
    onError: (error) => log.warn({ err: error }, 'trouble with the database'),
    // Before there are tables: whoever restores the right database finds the place as it was.
    beforeMigrating: (opened) => refuseForeignPhotos(opened, storage),
  };
  const db = await whenReachable(() => openDatabase(database), reach);
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
      maxWaiting: share(maxWaitingImages),
      maxWaitingPerAddress: share(maxWaitingImagesPerAddress),
      maxWaitingPerCaller: share(maxWaitingImagesPerUser),
      memoryBytes: imagingBytes(config),
    }),
    connectionBounds: connectionBounds(config.workers, config.maxUploadBytes, memoryLimit()),
    uploads: uploadQueue(share(maxUploads)),
    streams: createFairQueue({
      maxRunning: share(maxStreams),
      maxRunningPerCaller: Math.min(maxStreamsPerCaller, share(maxStreams)),
      maxWaiting: share(maxWaitingStreams),
      maxWaitingPerAddress: Math.min(maxWaitingStreamsPerCaller, share(maxWaitingStreams)),
      maxWaitingPerCaller: Math.min(maxWaitingStreamsPerCaller, share(maxWaitingStreams)),
      maxWaitMs: streamWaitMs,
      refuse: () => errors.busy({ message: 'Too many files are being sent', retryAfter: 5 }),
    }),
    archives: archiveGate(share(maxArchives), share(maxArchivesPerCaller)),
    archivesPerAddress: archiveGate(share(maxArchives), share(maxArchivesPerAddress)),
    redis,
    makeRateLimiter: createRateLimiters(redis),
    clock,
    log,
    secret,
  };
}

/** Connections are not spread evenly over workers: one caller may have its share on one of them, up to a quarter. */
function uploadQueue(maxRunning: number): FairQueue {
  const part = Math.max(2, Math.ceil(maxRunning / 4));
  return createFairQueue({
    maxRunning,
    maxRunningPerAddress: Math.min(maxUploadsPerAddress, part),
    maxRunningPerCaller: Math.min(maxUploadsPerUser, part),
    maxWaiting: 5 * maxRunning,
    maxWaitingPerAddress: 2 * maxRunning,
    maxWaitingPerCaller: 100,
    maxWaitMs: uploadWaitMs,
    refuse: () => errors.busy({ message: 'Too many uploads at once', retryAfter: 5 }),
  });
}

/** Of this process. */
function imagingBytes({ imagingBytes, workers }: Config): number {
  return (imagingBytes ?? memoryLimit() * imagingPart) / workers;
}

function archiveGate(max: number, maxPerCaller: number): SharedGate {
  const refuse = () => errors.busy({ message: 'Too many archives are being sent', retryAfter: 30 });
  return createSharedGate({ max, maxPerCaller, refuse });
}

async function connectRedis({ redisUrl }: Config, secret: string, log: Logger): Promise<Redis | undefined> {
  if (!redisUrl) return undefined;
  const { openRedis } = await import('./platform/redis/connection.ts');
  // The gallery's own, the same in all of its processes, and no help to whoever reads it.
  const gallery = createHash('sha256').update(`redis ${secret}`).digest('hex').slice(0, 12);
  return openRedis({ url: redisUrl, prefix: `lightwell:${gallery}:`, log });
}

export async function closeDeps(deps: Deps): Promise<void> {
  await deps.imaging.drain();
  await deps.redis?.close();
  await deps.db.close();
}
