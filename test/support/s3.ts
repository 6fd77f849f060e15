/**
 * Starts a real S3 server for the tests: the npm package s3rver in a separate process, with a temporary
 * folder.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { S3Keys } from '../../server/platform/storage/s3/client.ts';

export interface S3Server {
  /** URL of the S3 server, `http://127.0.0.1:port`. */
  url: string;
  stop(): Promise<void>;
}

/** The only keys that s3rver accepts. */
export const s3Keys: S3Keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

const startTimeoutMs = 60_000;

export async function startS3(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-s3-'));
  const program = resolve(import.meta.dirname, 's3-process.ts');
  // s3rver creates list tokens with DES, which needs the legacy provider, and calls deprecated functions of
  // Node.
  const flags = ['--openssl-legacy-provider', '--no-warnings'];
  const child = spawn(process.execPath, [...flags, program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killServer = () => child.kill('SIGKILL');
  process.once('exit', killServer);
  const exited = once(child, 'exit');
  try {
    const [text] = await Promise.race([
      once(child.stdout.setEncoding('utf8'), 'data', { signal: AbortSignal.timeout(startTimeoutMs) }),
      exited.then(() => Promise.reject(new Error('the S3 server ended'))),
    ]);
    return {
      url: `http://127.0.0.1:${/listening on (\d+)/.exec(text)![1]}`,
      async stop() {
        process.removeListener('exit', killServer);
        killServer();
        await exited;
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    killServer();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Creates a bucket on the S3 server that the test runner started, and returns its STORAGE_URL. `endpoint` is
 * the URL of a proxy in front of the server.
 */
export async function makeBucket(endpoint?: string): Promise<string> {
  const server = process.env.TEST_S3_URL;
  if (!server) throw new Error('TEST_S3_URL is not set: start the tests with `npm test`');
  const name = `test-${randomBytes(6).toString('hex')}`;
  const { ok, status } = await fetch(`${server}/${name}`, { method: 'PUT' });
  if (!ok) throw new Error(`the bucket could not be made: ${status}`);
  return `s3://${name}?endpoint=${endpoint ?? server}`;
}

/** Returns the settings that a server needs for a bucket. */
export function s3Environment(storageUrl: string): Record<string, string> {
  return {
    STORAGE_URL: storageUrl,
    AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
  };
}
