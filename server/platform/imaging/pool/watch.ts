/** Looks at a worker again and again, as long as it lives, and says when it goes too far. */
import type { Ending } from './ended.ts';
import { bytesIn } from './folder.ts';
import { hasOtherProcesses, readUsage, readWritten } from './usage.ts';

export interface Watched {
  /** From the process that was started to the one that works. */
  chain: number[];
  folder: string;
}

/** The most that a worker may take after the watch began. */
export interface Bounds {
  memoryBytes: number;
  /** Bytes that it had in memory before, when the watch begins later. */
  memoryBefore?: number | undefined;
  cpuSeconds: number;
  /** Seconds by the clock. */
  seconds: number;
  folderBytes: number;
  /** Written in all, also where nobody can look. */
  writtenBytes: number;
  everyMs: number;
}

/** Every so many milliseconds it looks at the folder, and for other processes, too. */
const folderMs = 250;

/** Returns what ends the watch. `kill` is called once at most. */
export function watch(watched: Watched, bounds: Bounds, kill: (why: Ending) => void): () => void {
  const pid = watched.chain.at(-1)!;
  const end = performance.now() + bounds.seconds * 1000;
  const looksPerFolder = Math.ceil(folderMs / bounds.everyMs);
  const writtenBefore = readWritten(pid);
  let isOver = false;
  let { memoryBefore } = bounds;
  let cpuBefore: number | undefined;

  async function exceeded(look: number): Promise<Ending | undefined> {
    const usage = await readUsage(pid);
    if (usage) {
      cpuBefore ??= usage.cpu;
      memoryBefore ??= usage.memory;
      if (usage.memory - memoryBefore > bounds.memoryBytes) return 'memory';
      if (usage.cpu - cpuBefore > bounds.cpuSeconds) return 'time';
    }
    if (performance.now() > end) return 'busy';
    // No decoder starts another program, which would have bounds of its own.
    if (hasOtherProcesses(watched.chain)) return 'crash';
    return look % looksPerFolder === 0 ? await exceededOnDisk() : undefined;
  }

  async function exceededOnDisk(): Promise<Ending | undefined> {
    const written = readWritten(pid);
    if (written !== undefined && written - (writtenBefore ?? 0) > bounds.writtenBytes) return 'room';
    return (await bytesIn(watched.folder)) > bounds.folderBytes ? 'room' : undefined;
  }

  async function lookOn(): Promise<void> {
    for (let look = 1; !isOver; look++) {
      const why = await exceeded(look);
      if (isOver) return;
      if (why) return kill(why);
      await pause(bounds.everyMs);
    }
  }

  void lookOn();
  return () => {
    isOver = true;
  };
}

/** Does not keep a process from ending. */
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());
