/** The clients that talk to the store, and how long they wait for it. */
import { S3Client } from '@aws-sdk/client-s3';
import type { S3Place } from './url.ts';

export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Milliseconds. Tests wait less. */
export interface Timeouts {
  /** For an answer, over all attempts. */
  call: number;
  /** For the answer to one attempt. */
  attempt: number;
  /** For the next bytes of a body under way. */
  idle: number;
}

export const usualTimeouts: Timeouts = { call: 12_000, attempt: 5000, idle: 10_000 };

export interface S3Store {
  place: S3Place;
  timeouts: Timeouts;
  /** For calls that are answered at once. */
  calls: S3Client;
  /** For bodies that clients read as slowly as they like: they must not use up the connections of the others. */
  streams: S3Client;
  /** Signs addresses, and sends nothing. */
  signer: S3Client;
  /** Bucket and key of an object, as every command wants them. */
  at(name: string): { Bucket: string; Key: string };
}

/** It would write to the console, past the log, that many wait: their number is limited by their timeouts. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const attempts = 3;
const connectMs = 3000;
const callConnections = 64;
const streamConnections = 512;

/** The slowest connection to a store that is worth waiting for: bytes a second. */
const slowest = 256 * 1024;
/** Parts of large objects: two of each are in memory. */
export const partBytes = 8 * 1024 * 1024;

export function connect(place: S3Place, keys: S3Keys | undefined, timeouts: Timeouts): S3Store {
  const make = (maxSockets: number, endpoint = place.endpoint) =>
    new S3Client({
      ...(place.region && { region: place.region }),
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(keys && { credentials: { ...keys } }),
      maxAttempts: attempts,
      // Trailing checksums are unknown to many stores, and some keep their framing as content. Ours lie in the
      // metadata, and the signature of every request holds the SHA-256 of its body.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // It costs a round trip and a connection of its own for each object.
      expectContinueHeader: false,
      requestHandler: {
        connectionTimeout: Math.min(connectMs, timeouts.attempt),
        // The one for parts, which lib-storage sends; all other calls name theirs.
        requestTimeout: timeFor(timeouts.attempt, partBytes),
        throwOnRequestTimeout: true,
        // Bodies are watched in read.ts: a client that reads slowly is no fault of the store.
        socketTimeout: 0,
        httpAgent: { maxSockets },
        httpsAgent: { maxSockets },
        logger: silent,
      },
    });
  return {
    place,
    timeouts,
    calls: make(callConnections),
    streams: make(streamConnections),
    signer: make(1, place.publicEndpoint ?? place.endpoint),
    at: (name) => ({ Bucket: place.bucket, Key: place.prefix + name }),
  };
}

/** Milliseconds for a call that also carries so many bytes. */
export function timeFor(timeoutMs: number, bytes: number): number {
  return timeoutMs + Math.ceil((bytes / slowest) * 1000);
}

export function bounds({ timeouts }: S3Store, bytes = 0) {
  return {
    abortSignal: AbortSignal.timeout(timeFor(timeouts.call, bytes)),
    requestTimeout: timeFor(timeouts.attempt, bytes),
  };
}

/** For calls whose body goes on after the answer: the bound ends where the body begins. */
export async function untilAnswered<Answer>(
  { timeouts }: S3Store,
  call: (options: { abortSignal: AbortSignal; requestTimeout: number }) => Promise<Answer>,
): Promise<Answer> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeouts.call);
  try {
    return await call({ abortSignal: controller.signal, requestTimeout: timeouts.attempt });
  } finally {
    clearTimeout(timer);
  }
}
