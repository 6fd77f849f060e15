/** The picture workers of all galleries that run in this process. They end with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ordinaryBytes } from '../../server/platform/imaging/bounds.ts';
import { createPool, type Pool } from '../../server/platform/imaging/pool/pool.ts';
import { temporaryName } from '../../server/platform/storage/temporary.ts';

let imagingPool: Pool | undefined;

export function getSharedPool(): Pool {
  imagingPool ??= startSharedPool();
  return imagingPool;
}

function startSharedPool(): Pool {
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-workers-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const keep = availableParallelism();
  const real = createPool({ folder, newName: temporaryName, keep, ordinaryBytes, roomyBytes: Infinity });
  return {
    run: real.run,
    tryOut: real.tryOut,
    get size() {
      return real.size;
    },
    // A gallery that ends leaves them to the next.
    close: async () => {},
  };
}
