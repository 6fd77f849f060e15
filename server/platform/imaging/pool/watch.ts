/** Checks a worker's resource use repeatedly, and reports when it exceeds a limit. */

import { countFolderBytes } from './folder.ts';
import { hasOtherProcesses, readProcessUsage, readWrittenBytes } from './usage.ts';
import type { WorkerEndReason } from './worker-ended.ts';

export interface WatchedProcess {
  /** Process ids from the started process to the working one. */
  chain: number[];
  folder: string;
}

/** Maximum resources that a worker may use after the watch has begun. */
export interface WorkerBounds {
  memoryBytes: number;
  /** Bytes of memory before the job, if the watch begins later. */
  memoryBefore?: number | undefined;
  cpuSeconds: number;
  /** Maximum seconds of wall-clock time for the worker's job. */
  seconds: number;
  folderBytes: number;
  /** Maximum bytes written in total, including to files that the server cannot see. */
  writtenBytes: number;
  everyMs: number;
}

/** Milliseconds between two checks of the folder and of other processes. */
const folderMs = 250;

/** Starts the watch and returns a function that ends it. `kill` is called at most once. */
export function watchWorker(
  watched: WatchedProcess,
  bounds: WorkerBounds,
  kill: (why: WorkerEndReason) => void,
): () => void {
  const pid = watched.chain.at(-1)!;
  const end = performance.now() + bounds.seconds * 1000;
  const looksPerFolder = Math.ceil(folderMs / bounds.everyMs);
  const writtenBefore = readWrittenBytes(pid);
  let isOver = false;
  let { memoryBefore } = bounds;
  let cpuBefore: number | undefined;

  async function findExceeded(look: number): Promise<WorkerEndReason | undefined> {
    const usage = await readProcessUsage(pid);
    if (usage) {
      cpuBefore ??= usage.cpu;
      memoryBefore ??= usage.memory;
      if (usage.memory - memoryBefore > bounds.memoryBytes) return 'memory';
      if (usage.cpu - cpuBefore > bounds.cpuSeconds) return 'time';
    }
    if (performance.now() > end) return 'busy';
    // No decoder starts another program, which would escape these limits.
    if (hasOtherProcesses(watched.chain)) return 'crash';
    return look % looksPerFolder === 0 ? await findExceededOnDisk() : undefined;
  }

  async function findExceededOnDisk(): Promise<WorkerEndReason | undefined> {
    const written = readWrittenBytes(pid);
    if (written !== undefined && written - (writtenBefore ?? 0) > bounds.writtenBytes) return 'room';
    return (await countFolderBytes(watched.folder)) > bounds.folderBytes ? 'room' : undefined;
  }

  async function watchLoop(): Promise<void> {
    for (let look = 1; !isOver; look++) {
      const why = await findExceeded(look);
      if (isOver) return;
      if (why) return kill(why);
      await waitWithoutHoldingProcess(bounds.everyMs);
    }
  }

  void watchLoop();
  return () => {
    isOver = true;
  };
}

/** Waits without keeping the process alive. */
const waitWithoutHoldingProcess = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());
