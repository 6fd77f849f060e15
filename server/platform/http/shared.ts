/**
 * What all routes of a process share of what is scarce: connections, files on their way, password hashes, requests and tries a
 * minute.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createFairQueue, type FairQueue } from '../concurrency/fair-queue.ts';
import { type ConnectionBounds, connectionBounds } from '../connections/bounds.ts';
import type { Secret } from '../db/secret.ts';
import { type ApiError, errors } from '../errors/catalogue.ts';
import { createGate, type Gate } from '../errors/gate.ts';
import { memoryLimit } from '../process/memory.ts';
import type { Redis } from '../redis/connection.ts';
import type { ProxyWatch } from './proxy-watch.ts';
import { createRateLimiters, type MakeRateLimiter } from './rate-limiters.ts';

/** Files being received at once: each holds a temporary file of up to MAX_UPLOAD_MB. */
const maxUploads = 200;
/** Of one user, and of one address, behind which a club may be. */
const maxUploadsPerUser = 8;
const maxUploadsPerAddress = 50;
/** Meanwhile nothing of them is read: a connection is all that they take. */
const uploadWaitMs = 30_000;
/**
 * Bound for one caller, and for one address, in each queue: the number of connections that one address may have.
 * Requests are refused when they have waited in vain, so an idle machine refuses nobody.
 */
const maxWaitingPerCaller = 500;
/** Files being sent at once that are too large to be in memory: a descriptor and some 200 KB each. */
const maxStreams = 256;
/**
 * A page of a hundred originals over HTTP/2 asks for all of them at once; those that wait cost nothing. Sixteen files
 * that are opened in a bucket at the same time make others wait (ADR 22).
 */
const maxStreamsPerCaller = 8;
const maxWaitingStreams = 2000;
const streamWaitMs = 30_000;
/** Archives being sent at once: each may take hours, an open file and a few megabytes; so many for one caller. */
const maxArchives = 16;
const maxArchivesPerCaller = 2;
const maxArchivesPerAddress = 6;

export interface Shared {
  connections: ConnectionBounds;
  /** Bounds how many files are being received, by user and by address. */
  uploads: FairQueue;
  /** Bounds how many large files are being sent, by address. */
  streams: FairQueue;
  /** Bounds how many passwords are being hashed, by user and by address. */
  hashes: FairQueue;
  /** Bounds how many archives are being sent, by user or address. */
  archives: Gate;
  /** The same by address alone: an account costs nothing, an address does. */
  archivesPerAddress: Gate;
  /** Undefined without REDIS_URL. */
  redis: Redis | undefined;
  makeRateLimiter: MakeRateLimiter;
  proxies: ProxyWatch;
}

declare module 'fastify' {
  interface FastifyInstance {
    shared: Shared;
  }
}

export interface SharedOptions {
  /** Processes that serve this gallery on this machine. */
  workers: number;
  maxUploadBytes: number;
  /** Undefined: limits are counted in memory. */
  redisUrl: string | undefined;
  secret: Secret;
  log: Logger;
}

export async function openShared(options: SharedOptions): Promise<Shared> {
  const { workers } = options;
  /** Of what this machine can bear, the part of one worker. */
  const share = (whole: number) => Math.max(1, Math.ceil(whole / workers));
  const redis = await connectRedis(options);
  return {
    connections: connectionBounds(workers, options.maxUploadBytes, memoryLimit()),
    uploads: uploadQueue(share(maxUploads)),
    streams: createFairQueue({
      maxRunning: share(maxStreams),
      maxRunningPerCaller: Math.min(maxStreamsPerCaller, share(maxStreams)),
      maxWaiting: share(maxWaitingStreams),
      maxWaitingPerAddress: Math.min(maxWaitingPerCaller, share(maxWaitingStreams)),
      maxWaitingPerCaller: Math.min(maxWaitingPerCaller, share(maxWaitingStreams)),
      maxWaitMs: streamWaitMs,
      refuse: refusals('Too many files are being sent to you', 5, 'Too many files are being sent'),
    }),
    // Two at a time leave half of the thread pool to imaging and files.
    hashes: createFairQueue({
      maxRunning: 2,
      maxRunningPerCaller: 2,
      maxWaiting: 2 * maxWaitingPerCaller,
      maxWaitingPerAddress: maxWaitingPerCaller,
      maxWaitingPerCaller,
      maxWaitMs: 30_000,
      refuse: refusals('Too many passwords of yours wait to be checked', 2),
    }),
    archives: createGate({
      max: share(maxArchives),
      maxPerCaller: share(maxArchivesPerCaller),
      refuse: refuseArchive,
    }),
    archivesPerAddress: createGate({
      max: share(maxArchives),
      maxPerCaller: share(maxArchivesPerAddress),
      // Several callers may share the address.
      refuse: () => refuseArchive(false),
    }),
    redis,
    makeRateLimiter: createRateLimiters(redis),
    proxies: { address: '' },
  };
}

/** Makes the refusals of a queue. `own`: the message when only this caller has too many requests. */
function refusals(own: string, retryAfter: number, all?: string) {
  return (isOwn: boolean): ApiError =>
    isOwn
      ? errors.tooManyRequests({ message: own, retryAfter })
      : errors.busy({ ...(all !== undefined && { message: all }), retryAfter });
}

const refuseArchive = refusals(
  'Too many archives are being sent to you',
  30,
  'Too many archives are being sent',
);

/** Every scope of `app` has it from here on; it is closed with the app. */
export function shareAmongRoutes(app: FastifyInstance, shared: Shared): void {
  app.decorate('shared', shared);
  app.addHook('onClose', async () => {
    await shared.redis?.close();
  });
}

/** Connections are not spread evenly over workers: one caller may have its share on one of them, up to a quarter. */
function uploadQueue(maxRunning: number): FairQueue {
  const part = Math.max(2, Math.ceil(maxRunning / 4));
  return createFairQueue({
    maxRunning,
    maxRunningPerAddress: Math.min(maxUploadsPerAddress, part),
    maxRunningPerCaller: Math.min(maxUploadsPerUser, part),
    maxWaiting: 5 * maxRunning,
    maxWaitingPerAddress: Math.min(maxWaitingPerCaller, 5 * maxRunning),
    maxWaitingPerCaller: Math.min(maxWaitingPerCaller, 5 * maxRunning),
    maxWaitMs: uploadWaitMs,
    refuse: refusals('Too many uploads of yours at once', 5, 'Too many uploads at once'),
  });
}

async function connectRedis({ redisUrl, secret, log }: SharedOptions): Promise<Redis | undefined> {
  if (!redisUrl) return undefined;
  const { openRedis } = await import('../redis/connection.ts');
  // The same in all processes of one gallery, different between galleries; does not reveal the secret.
  const gallery = createHash('sha256').update(`redis ${secret.text}`).digest('hex').slice(0, 12);
  return openRedis({ url: redisUrl, prefix: `lightwell:${gallery}:`, log });
}
