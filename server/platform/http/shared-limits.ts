/**
 * Limits that all routes of a process share: connections, file transfers, password hashes, requests, and attempts per
 * minute.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createFairQueue, type FairQueue } from '../concurrency/fair-queue.ts';
import { type ConnectionBounds, computeConnectionBounds } from '../connections/bounds.ts';
import type { GallerySecret } from '../db/secret.ts';
import { type ApiError, errors } from '../errors/catalogue.ts';
import { type ConcurrencyGate, createConcurrencyGate } from '../errors/gate.ts';
import { memoryLimit } from '../process/memory.ts';
import type { Redis } from '../redis/connection.ts';
import type { DetectedProxy } from './proxy-watch.ts';
import { createRateLimiters, type MakeRateLimiter } from './rate-limiters.ts';
import { createSampledLog, type SampledLog } from './sampled-log.ts';

/** Maximum files being received at once. Each has a temporary file of up to MAX_UPLOAD_MB. */
const maxUploads = 200;
/** Maximum files being received for one user, and for one IP address that a whole club may share. */
const maxUploadsPerUser = 8;
const maxUploadsPerAddress = 50;
/**
 * Milliseconds that an upload waits in the queue. A waiting upload only occupies a connection, because its body is not
 * read.
 */
const uploadWaitMs = 30_000;
/**
 * Maximum waiting requests of one caller or one IP address in each queue, equal to the maximum connections of one IP
 * address. Requests are refused only after a timeout, so an idle machine refuses none.
 */
const maxWaitingPerCaller = 500;
/**
 * Maximum large files being sent at once. Such files are not cached in memory, and each takes a file descriptor and
 * about 200 KB.
 */
const maxStreams = 256;
/**
 * Maximum large files being sent to one caller. A page of a hundred originals over HTTP/2 requests all at once, and
 * waiting costs nothing. Sixteen files opened in a bucket at once already delay other clients (ADR 22).
 */
const maxStreamsPerCaller = 8;
const maxWaitingStreams = 2000;
const streamWaitMs = 30_000;
/** Maximum archives being sent, and maximum for one caller. Each may take hours, an open file and a few megabytes. */
const maxArchives = 16;
const maxArchivesPerCaller = 2;
const maxArchivesPerAddress = 6;

export interface SharedLimits {
  connections: ConnectionBounds;
  /** Queue that limits files being received, by user and by IP address. */
  uploads: FairQueue;
  /** Queue that limits large files being sent, by IP address. */
  streams: FairQueue;
  /** Queue that limits passwords being hashed, by user and by IP address. */
  hashes: FairQueue;
  /** Limits archives being sent, by user or IP address. */
  archives: ConcurrencyGate;
  /** Limits archives by IP address only, because an attacker can create many accounts but has few IP addresses. */
  archivesPerAddress: ConcurrencyGate;
  /** Redis client. Undefined without REDIS_URL. */
  redis: Redis | undefined;
  makeRateLimiter: MakeRateLimiter;
  /** Log of failures that many requests share. */
  failures: SampledLog;
  proxies: DetectedProxy;
  /** Whether a stop of the server has begun. The server still serves, but is not ready for more traffic. */
  stop: { hasBegun: boolean };
}

declare module 'fastify' {
  interface FastifyInstance {
    shared: SharedLimits;
  }
}

export interface SharedLimitsOptions {
  /** Number of worker processes for this gallery on this machine. */
  workers: number;
  maxUploadBytes: number;
  /** Redis URL. Undefined means that limits are counted in memory. */
  redisUrl: string | undefined;
  secret: GallerySecret;
  log: Logger;
}

export async function openSharedLimits(options: SharedLimitsOptions): Promise<SharedLimits> {
  const { workers } = options;
  /** Returns one worker's part of a limit for the whole machine. */
  const shareOfWorker = (whole: number) => Math.max(1, Math.ceil(whole / workers));
  const redis = await connectRedis(options);
  return {
    connections: computeConnectionBounds(workers, options.maxUploadBytes, memoryLimit()),
    uploads: uploadQueue(shareOfWorker(maxUploads)),
    streams: createFairQueue({
      maxRunning: shareOfWorker(maxStreams),
      maxRunningPerCaller: Math.min(maxStreamsPerCaller, shareOfWorker(maxStreams)),
      maxWaiting: shareOfWorker(maxWaitingStreams),
      maxWaitingPerAddress: Math.min(maxWaitingPerCaller, shareOfWorker(maxWaitingStreams)),
      maxWaitingPerCaller: Math.min(maxWaitingPerCaller, shareOfWorker(maxWaitingStreams)),
      maxWaitMs: streamWaitMs,
      refuse: toRefusal(
        'You are downloading too many files at the same time. Try again when some are complete.',
        5,
        'Too many files are being downloaded. Try again in a moment.',
      ),
    }),
    // Two concurrent hashes leave half of the thread pool to imaging and files.
    hashes: createFairQueue({
      maxRunning: 2,
      maxRunningPerCaller: 2,
      maxWaiting: 2 * maxWaitingPerCaller,
      maxWaitingPerAddress: maxWaitingPerCaller,
      maxWaitingPerCaller,
      maxWaitMs: 30_000,
      refuse: toRefusal('Too many of your passwords are waiting to be checked. Try again in a moment.', 2),
    }),
    archives: createConcurrencyGate({
      max: shareOfWorker(maxArchives),
      maxPerCaller: shareOfWorker(maxArchivesPerCaller),
      refuse: refuseArchive,
    }),
    archivesPerAddress: createConcurrencyGate({
      max: shareOfWorker(maxArchives),
      maxPerCaller: shareOfWorker(maxArchivesPerAddress),
      // Several callers may share the IP address, so the message must not blame one caller.
      refuse: () => refuseArchive(false),
    }),
    redis,
    makeRateLimiter: createRateLimiters(redis),
    failures: createSampledLog(options.log),
    proxies: { address: '' },
    stop: { hasBegun: false },
  };
}

/**
 * Returns a function that creates the errors of a queue. `own` is the message if only this caller has too many
 * requests.
 */
function toRefusal(own: string, retryAfter: number, all?: string) {
  return (isOwn: boolean): ApiError =>
    isOwn
      ? errors.tooManyRequests({ message: own, retryAfter })
      : errors.busy({ ...(all !== undefined && { message: all }), retryAfter });
}

const refuseArchive = toRefusal(
  'You are downloading too many archives at the same time. Try again when one is complete.',
  30,
  'Too many archives are being downloaded. Try again in a moment.',
);

/** Makes the limits available to `app` and the scopes created later. Redis is closed with the app. */
export function decorateWithSharedLimits(app: FastifyInstance, shared: SharedLimits): void {
  app.decorate('shared', shared);
  app.addHook('onClose', async () => {
    await shared.redis?.close();
  });
}

/**
 * Creates the upload queue. Connections are not spread evenly over workers, so one caller may use its whole share on
 * one worker, up to a quarter.
 */
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
    refuse: toRefusal(
      'You are uploading too many files at the same time. Try again when some are complete.',
      5,
      'Too many files are being uploaded. Try again in a moment.',
    ),
  });
}

async function connectRedis({ redisUrl, secret, log }: SharedLimitsOptions): Promise<Redis | undefined> {
  if (!redisUrl) return undefined;
  const { openRedis } = await import('../redis/connection.ts');
  // The prefix is the same in all processes of a gallery, differs between galleries, and does not reveal the secret.
  const gallery = createHash('sha256').update(`redis ${secret.text}`).digest('hex').slice(0, 12);
  return openRedis({ url: redisUrl, prefix: `lightwell:${gallery}:`, log });
}
