import { execFile } from 'node:child_process';
import { createRequire, getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Sharp, SharpInput, SharpOptions } from 'sharp';
import { StartError } from '../errors/start.ts';

/**
 * How a user's file is opened, always. `error` refuses what is truncated or corrupt; `warning` would also refuse
 * the harmless slips that many cameras make. The pixel limits are checked before, by `inspect`.
 */
export const inputOptions: SharpOptions = { failOn: 'error', limitInputPixels: false, sequentialRead: true };

const require = createRequire(import.meta.url);

/**
 * sharp, hardened: no picture is opened without it. Loaded with the first one; a server that has only shown photos so
 * far is 8 MB smaller.
 */
export function sharp(input: SharpInput | SharpOptions, options?: SharpOptions): Sharp {
  const hardened = require('./hardened.ts') as typeof import('./hardened.ts');
  return hardened.sharp(input as SharpInput, options);
}

/** Throws StartError when no picture could be opened here. Tried in a process of its own: this one stays small. */
export async function trySharp(): Promise<void> {
  const program = fileURLToPath(import.meta.resolve('./hardened.ts'));
  // With the modules that this one has kept compiled it takes two thirds of the processor time, beside a start.
  const cache = getCompileCacheDir();
  const env = { ...process.env, ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }) };
  await promisify(execFile)(process.execPath, [program], { env }).catch((error: unknown) => {
    const { stderr } = error as { stderr?: string };
    const reason = /^\w*Error: .*$/m.exec(stderr ?? '')?.[0] ?? String(error);
    throw new StartError(`Pictures cannot be opened: ${reason}`, { cause: error });
  });
}
