import { createRequire } from 'node:module';
import type { Sharp, SharpInput, SharpOptions } from 'sharp';

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
