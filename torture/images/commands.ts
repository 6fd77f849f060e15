/** Commands with a bound of memory: in a control group, and their own peaks are looked at in any case. */
import { readFileSync } from 'node:fs';
import { type CommandOutcome, spawnCommand } from '../../test/support/command.ts';
import type { MemoryGroup } from '../../test/support/memory-group.ts';
import { readPeakMemory } from '../../test/support/server-process.ts';

export interface Commands {
  /** `lightwell …`, with the settings of a gallery and this on its standard input. */
  run(environment: Record<string, string>, args: string[], input?: string): Promise<CommandOutcome>;
  /** Bytes of the largest process of all that ran. */
  peak(): number;
}

/** VmHWM only grows: what is missed is what a process takes in its last moment. */
const lookMs = 10;

/** `group`: where one could be made. */
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

/** Whoever enters the group starts the command as a child; behind it are picture workers, each behind `unshare`. */
export function listProcessTree(pid: number): number[] {
  return [pid, ...listChildren(pid).flatMap(listProcessTree)];
}

/** None where the process has just ended. */
function listChildren(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children === '' ? [] : children.split(' ').map(Number);
  } catch {
    return [];
  }
}
