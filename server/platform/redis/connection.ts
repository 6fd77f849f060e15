/**
 * Redis, for what several processes share and can lose. Every command is answered or refused within a quarter of a
 * second; while Redis is down no command is sent, and callers go on without it.
 */
import { createClient } from '@redis/client';
import type { Logger } from 'pino';
import { within } from '../concurrency/within.ts';

/** What is asked of Redis; RateLimiterRedis takes it for its client. */
export interface Redis {
  /** Runs a Lua script. Rejects when Redis is down or slow. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  del(key: string): Promise<number>;
  /** Whether it answered when it was last asked, at most two seconds ago. */
  isUp(): boolean;
  close(): Promise<void>;
}

export interface RedisOptions {
  /** `redis://` or `rediss://`. */
  url: string;
  /** Begins every key: several galleries may share one Redis. */
  prefix: string;
  log: Logger;
}

const timeoutMs = 250;
const probeMs = 1000;
/** How long a start waits; without an answer it goes on, and Redis counts as down. */
const startTimeoutMs = 2000;
const connectTimeoutMs = 2000;
/** A connection on which nothing moves for so long, probes included, is given up for a new one. */
const silenceMs = 5000;
const maxPauseMs = 1000;
const maxWaiting = 10_000;

/** Never rejects: where Redis does not answer, it is down until it does. */
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

  function note(isNowUp: boolean, error?: unknown): void {
    if (isUp === isNowUp) return;
    isUp = isNowUp;
    if (isUp) log.info('Redis answers again: limits are shared');
    else
      log.warn({ err: error }, 'Redis does not answer: until it does, each process counts its limits alone');
  }

  async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    if (!isUp) throw new Error('Redis is down');
    try {
      return await within(timeoutMs, question(), noAnswer);
    } catch (error) {
      note(false, error);
      throw error;
    }
  }

  /** Writes, as limits do: a Redis that is full or a replica answers PING. */
  async function probe(): Promise<void> {
    // One that was not answered in time is still under way; another behind it would say no more.
    if (isProbing) return;
    isProbing = true;
    const answer = client.set(`${prefix}probe`, '1', { EX: 60 }).finally(() => {
      isProbing = false;
    });
    await within(timeoutMs, answer, noAnswer).then(
      () => note(true),
      (error: unknown) => note(false, error),
    );
  }

  const failed = Promise.withResolvers<never>();
  client.on('error', (error: unknown) => {
    note(false, error);
    failed.reject(error);
  });
  const firstAnswer = Promise.race([client.connect(), failed.promise]);
  await within(startTimeoutMs, firstAnswer, noAnswer).catch((error: unknown) => note(false, error));
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

/** Milliseconds; at random, so that many processes do not come back at one moment. */
function pauseBefore(retries: number): number {
  return Math.min(maxPauseMs, 50 * 2 ** retries) * (0.5 + Math.random() / 2);
}

const noAnswer = () => new Error('no answer in time');
