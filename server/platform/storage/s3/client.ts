/** S3 clients and their timeouts. */
import { S3Client } from '@aws-sdk/client-s3';
import type { S3Location } from './url.ts';

export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Timeouts of S3 calls in milliseconds. Tests use shorter ones. */
export interface S3Timeouts {
  /** Maximum milliseconds for the response to a call, over all attempts. */
  call: number;
  /** Maximum milliseconds for the response to one attempt of a call. */
  attempt: number;
  /** Maximum milliseconds without new bytes of a response body. */
  idle: number;
}

export const defaultTimeouts: S3Timeouts = { call: 12_000, attempt: 5000, idle: 10_000 };

export interface S3Store {
  location: S3Location;
  timeouts: S3Timeouts;
  /** S3 client for calls with a short response. */
  calls: S3Client;
  /**
   * S3 client for reading objects. Clients of the gallery may read slowly, and must not use up the connections of other
   * calls.
   */
  streams: S3Client;
  /** S3 client that signs URLs and sends nothing. */
  signer: S3Client;
  /** Returns the bucket and key of an object as parameters of a command. */
  at(name: string): { Bucket: string; Key: string };
}

/**
 * Discards the S3 client's own warnings about many waiting requests. Timeouts already limit the number of waiting
 * requests.
 */
const silentLogger = { debug() {}, info() {}, warn() {}, error() {} };

const maxRequestAttempts = 3;
const connectMs = 3000;
const callConnections = 64;
const streamConnections = 512;

/** Minimum speed in bytes per second at which a call with a body must transfer it. */
const minBytesPerSecond = 256 * 1024;
/** Bytes of one part of a large upload. Two parts of each upload are in memory. */
export const s3PartBytes = 8 * 1024 * 1024;

export function createS3Store(location: S3Location, keys: S3Keys | undefined, timeouts: S3Timeouts): S3Store {
  const make = (maxSockets: number, endpoint = location.endpoint) =>
    new S3Client({
      ...(location.region && { region: location.region }),
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(keys && { credentials: { ...keys } }),
      maxAttempts: maxRequestAttempts,
      // Many stores do not know trailing checksums, and some store their framing as content. Our checksums are in the
      // metadata, and each request's signature covers the SHA-256 of its body.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // The header `Expect: 100-continue` would cost a round trip and a separate connection for each object.
      expectContinueHeader: false,
      requestHandler: {
        connectionTimeout: Math.min(connectMs, timeouts.attempt),
        // This timeout applies to the parts that lib-storage sends. All other calls set their own.
        requestTimeout: computeTransferTimeout(timeouts.attempt, s3PartBytes),
        throwOnRequestTimeout: true,
        // `read.ts` watches response bodies, because a client that reads slowly is not an error of the store.
        socketTimeout: 0,
        httpAgent: { maxSockets },
        httpsAgent: { maxSockets },
        logger: silentLogger,
      },
    });
  return {
    location,
    timeouts,
    calls: make(callConnections),
    streams: make(streamConnections),
    signer: make(1, location.publicEndpoint ?? location.endpoint),
    at: (name) => ({ Bucket: location.bucket, Key: location.prefix + name }),
  };
}

/** Returns the milliseconds for a call that also transfers `bytes` bytes. */
export function computeTransferTimeout(timeoutMs: number, bytes: number): number {
  return timeoutMs + Math.ceil((bytes / minBytesPerSecond) * 1000);
}

export function createS3CallBounds({ timeouts }: S3Store, bytes = 0) {
  return {
    abortSignal: AbortSignal.timeout(computeTransferTimeout(timeouts.call, bytes)),
    requestTimeout: computeTransferTimeout(timeouts.attempt, bytes),
  };
}

/** Limits the time until the response begins. The timeout ends there, because reading the body may take longer. */
export async function limitTimeUntilResponse<Answer>(
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
