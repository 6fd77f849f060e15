/** Measures how much CPU other programs use, which the server is not to blame for. */
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

export interface Machine {
  /** Returns the average number of cores that other programs used between two times of the system's clock. */
  others(begin: number, end: number): number;
  /** Returns text such as `2 cores, load 5.2 at most, of which others used 1.1 cores`. */
  told(): string;
  end(): void;
}

interface Sample {
  at: number;
  others: number;
}

/**
 * Milliseconds between samples. CPU that a process uses between the last sample and its end counts as
 * others'.
 */
const lookMs = 200;
/** CPU ticks per second that Linux reports to programs. */
const ticksPerSecond = 100;

/** Starts measuring. `own` returns the ids of all server processes; this process counts as own too. */
export function watchMachine(own: () => number[]): Machine {
  const samples: Sample[] = [];
  let load = 0;
  let before = look();

  function look() {
    const { user, system } = process.cpuUsage();
    return {
      at: Date.now(),
      busy: busySeconds(),
      here: (user + system) / 1e6,
      each: new Map(own().map((pid) => [pid, readCpuSeconds(pid)])),
    };
  }

  const timer = setInterval(() => {
    const now = look();
    const seconds = (now.at - before.at) / 1000;
    const theirs = [...now.each].map(([pid, used]) => Math.max(0, used - (before.each.get(pid) ?? 0)));
    const mine = now.here - before.here + theirs.reduce((sum, used) => sum + used, 0);
    samples.push({ at: now.at, others: Math.max(0, now.busy - before.busy - mine) / seconds });
    load = Math.max(load, loadavg()[0]!);
    before = now;
  }, lookMs);

  function others(begin: number, end: number): number {
    const within = samples.filter(({ at }) => at >= begin && at <= end + lookMs);
    return within.reduce((sum, sample) => sum + sample.others, 0) / Math.max(1, within.length);
  }

  return {
    others,
    told: () =>
      `${availableParallelism()} cores, load ${load.toFixed(1)} at most, others used ${others(0, Infinity).toFixed(2)} cores`,
    end: () => clearInterval(timer),
  };
}

/** Returns the busy seconds of all cores, without idle time and disk waits. */
function busySeconds(): number {
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/\s+/).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields;
  return (user + nice + system + irq + softirq + steal) / ticksPerSecond;
}

/** Returns the CPU seconds of a process, or 0 after it has ended. */
function readCpuSeconds(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces. The 12th and 13th field after the name are the user and
    // system times.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return 0;
  }
}
