/**
 * Starts a real Redis or Valkey for the tests, if one is installed. Otherwise the tests are reported as
 * skipped.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createClient } from '@redis/client';
import { findFreePort } from './postgres.ts';

export interface RedisServer {
  url: string;
  /** Sends a Redis command on a new connection, and resolves with the reply of Redis. */
  command(...words: string[]): Promise<unknown>;
  /** Stops Redis at once. `start` starts Redis again on the same port without data. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Freezes Redis, so that it responds to nothing until `wake`. */
  sleep(): void;
  wake(): void;
}

const redisProgram = ['redis-server', 'valkey-server'].find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

/** Value for the option `skip` of tests that need Redis. */
export const withoutRedis = redisProgram ? false : 'neither redis-server nor valkey-server is installed here';

export async function startRedis(): Promise<RedisServer> {
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function startProcess(): Promise<void> {
    const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no' };
    const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    child = spawn(redisProgram!, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
    const started = child;
    process.once('exit', () => started.kill('SIGKILL'));
    for await (const text of child.stdout!.setEncoding('utf8')) {
      if (text.includes('Ready to accept connections')) break;
    }
    // Leaving the loop closes the stream. Later output of Redis is lost, and must not stop Redis.
  }

  await startProcess();
  return {
    url,
    start: startProcess,
    async command(...words) {
      const client = createClient({ url });
      client.on('error', () => {});
      await client.connect();
      try {
        return await client.sendCommand(words);
      } finally {
        client.destroy();
      }
    },
    sleep: () => void child!.kill('SIGSTOP'),
    wake: () => void child!.kill('SIGCONT'),
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
