/** Runs commands with a memory limit in a control group, and measures their peaks in any case. */
import { readFileSync } from 'node:fs';
import { type CommandOutcome, spawnCommand } from '../../test/support/command.ts';
import type { MemoryGroup } from '../../test/support/memory-group.ts';
import { readPeakMemory } from '../../test/support/server-process.ts';

export interface Commands {
  /** Runs `lightwell …` with the settings of a gallery and with `input` on standard input. */
  run(environment: Record<string, string>, args: string[], input?: string): Promise<CommandOutcome>;
  /** Returns the peak memory in bytes of the largest process so far. */
  peak(): number;
}

/** Milliseconds between reads of VmHWM, which only grows; only the last moment of a process is missed. */
const lookMs = 10;

/** Creates a command runner, in `group` if a control group could be created. */
export function commandsIn(group: MemoryGroup | undefined): Commands {
  let peak = 0;
  return {
    async run(environment, args, input = '') {
      let timer: NodeJS.Timeout | undefined;
      const onSpawn = (pid: number) => {
        timer = setInterval(() => {
          for (const one of listProcessTree(pid)) peak = Math.max(peak, readPeakMemory(one) ?? 0);
        }, lookMs);
      };
      return spawnCommand(environment, args, {
        input,
        onSpawn,
        ...(group && { under: group.under }),
      }).finally(() => clearInterval(timer));
    },
    peak: () => peak,
  };
}

/**
 * Returns the ids of a process and its descendants: the command starts as a child, and each picture worker
 * starts behind `unshare`.
 */
export function listProcessTree(pid: number): number[] {
  return [pid, ...listChildren(pid).flatMap(listProcessTree)];
}

/** Returns the ids of child processes, or none if the process has just ended. */
function listChildren(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children === '' ? [] : children.split(' ').map(Number);
  } catch {
    return [];
  }
}
