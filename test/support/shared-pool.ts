/** Picture workers that all galleries of this process share. The workers end with the process. */
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
  const maxIdle = availableParallelism();
  const real = createPool({ folder, newName: temporaryName, maxIdle, ordinaryBytes, roomyBytes: Infinity });
  return {
    run: real.run,
    testSandbox: real.testSandbox,
    get size() {
      return real.size;
    },
    // Closing a gallery does not end the workers, because the next gallery uses them.
    close: async () => {},
  };
}
