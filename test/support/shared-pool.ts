/** Picture workers that all galleries of this process share. The workers end with the process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ordinaryJobBytes } from '../../server/platform/imaging/bounds.ts';
import { createWorkerPool, type WorkerPool } from '../../server/platform/imaging/pool/pool.ts';
import { temporaryName } from '../../server/platform/storage/temporary.ts';

let imagingPool: WorkerPool | undefined;

export function getSharedPool(): WorkerPool {
  imagingPool ??= startSharedPool();
  return imagingPool;
}

function startSharedPool(): WorkerPool {
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-workers-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const maxIdle = availableParallelism();
  const real = createWorkerPool({
    folder,
    newName: temporaryName,
    maxIdle,
    ordinaryBytes: ordinaryJobBytes,
    roomyBytes: Infinity,
  });
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
