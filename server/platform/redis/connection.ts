/**
 * Redis client for data that processes share and that may be lost. Every command is answered or rejected within a
 * quarter of a second. While Redis is down, no command is sent, and callers go on without Redis.
 */
import { createClient } from '@redis/client';
import type { Logger } from 'pino';
import { withTimeout } from '../concurrency/with-timeout.ts';

/** Redis commands that this project uses. RateLimiterRedis accepts this interface as its client. */
export interface Redis {
  /** Runs a Lua script. Rejects when Redis is down or slow. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  del(key: string): Promise<number>;
  /** Whether Redis answered its latest probe, at most two seconds ago. */
  isUp(): boolean;
  close(): Promise<void>;
}

export interface RedisOptions {
  /** URL of the Redis server, `redis://` or `rediss://`. */
  url: string;
  /** Prefix of every key, so that several galleries can share one Redis. */
  prefix: string;
  log: Logger;
}

const timeoutMs = 250;
const probeMs = 1000;
/** Milliseconds that a start waits for Redis. After that the start goes on, and Redis counts as down. */
const startTimeoutMs = 2000;
const connectTimeoutMs = 2000;
/** Milliseconds without any data, probes included, after which the connection is replaced. */
const silenceMs = 5000;
const maxPauseMs = 1000;
const maxWaiting = 10_000;

/** Connects to Redis. Never rejects: a Redis that does not answer counts as down until it does. */
export async function openRedis({ url, prefix, log }: RedisOptions): Promise<Redis> {
  const client = createClient({
    url,
    name: 'lightwell',
    // A command that cannot be sent now fails at once instead of waiting for a reconnection.
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxWaiting,
    socket: { connectTimeout: connectTimeoutMs, socketTimeout: silenceMs, reconnectStrategy: pauseBefore },
  });
  let isUp = true;
  let isProbing = false;

  function recordState(isNowUp: boolean, error?: unknown): void {
    if (isUp === isNowUp) return;
    isUp = isNowUp;
    if (isUp) log.info('Redis responds again: rate limits are shared by all processes');
    else
      log.warn(
        { err: error },
        'Redis does not respond: each process counts its rate limits on its own until Redis is back',
      );
  }

  async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    if (!isUp) throw new Error('Redis is unreachable');
    try {
      return await withTimeout(timeoutMs, question(), noAnswer);
    } catch (error) {
      recordState(false, error);
      throw error;
    }
  }

  /** Checks Redis with a write, as rate limits do. A full Redis or a read-only replica would still answer PING. */
  async function probe(): Promise<void> {
    // The previous probe is still unanswered, and a second one would show nothing new.
    if (isProbing) return;
    isProbing = true;
    const answer = client.set(`${prefix}probe`, '1', { EX: 60 }).finally(() => {
      isProbing = false;
    });
    await withTimeout(timeoutMs, answer, noAnswer).then(
      () => recordState(true),
      (error: unknown) => recordState(false, error),
    );
  }

  const failed = Promise.withResolvers<never>();
  client.on('error', (error: unknown) => {
    recordState(false, error);
    failed.reject(error);
  });
  const firstAnswer = Promise.race([client.connect(), failed.promise]);
  await withTimeout(startTimeoutMs, firstAnswer, noAnswer).catch((error: unknown) =>
    recordState(false, error),
  );
  const timer = setInterval(probe, probeMs).unref();

  return {
    eval: (script, { keys, arguments: args }) =>
      ask(() => client.eval(script, { keys: keys.map((key) => prefix + key), arguments: args })),
    del: (key) => ask(() => client.del(prefix + key)),
    isUp: () => isUp,
    async close() {
      clearInterval(timer);
      client.destroy();
    },
  };
}

/**
 * Returns the milliseconds before a reconnection. The pause is random, so that many processes do not reconnect at the
 * same time.
 */
function pauseBefore(retries: number): number {
  return Math.min(maxPauseMs, 50 * 2 ** retries) * (0.5 + Math.random() / 2);
}

const noAnswer = () => new Error('no response in time');
