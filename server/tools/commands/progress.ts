/** How far a long command is: a bar at a terminal, a line now and then elsewhere. On standard error. */
import { SingleBar } from 'cli-progress';
import type { Progress } from '../transfer/progress.ts';

const betweenLinesMs = 10_000;

interface ProgressLine extends Progress {
  step(items?: number): void;
  /** Writes a line to standard output, above the bar. */
  say(line: string): void;
}

export function createProgress(): ProgressLine {
  return process.stderr.isTTY ? createBar() : createLines();
}

function createBar(): ProgressLine {
  // The terminal stays as it is, and Ctrl-C ends the program: with its own handling the bar would take the first one.
  const untouched = { gracefulExit: false, hideCursor: null, linewrap: null };
  const options = { ...untouched, clearOnComplete: true, emptyOnZero: true, forceRedraw: true };
  const known = '{part} [{bar}] {value}/{total}, {eta_formatted} left';
  let bar: SingleBar | undefined;
  const end = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    begin(part, total) {
      end();
      bar = new SingleBar({ ...options, format: total === undefined ? '{part} {value}' : known });
      bar.start(total ?? 0, 0, { part });
    },
    step: (items = 1) => bar?.increment(items),
    say(line) {
      process.stderr.write('\r\u001b[K');
      console.log(line);
    },
    end,
  };
}

function createLines(): ProgressLine {
  let part = '';
  let total: number | undefined;
  let done = 0;
  let told = performance.now();
  const tell = () => {
    told = performance.now();
    // Read in a mail of cron: a count of what was looked at, no finding.
    console.error(`progress: ${part}, ${done}${total === undefined ? ' so far' : ` of ${total}`}`);
  };
  const end = () => {
    if (done > 0) tell();
    done = 0;
  };
  return {
    begin(next, of) {
      end();
      part = next;
      total = of;
    },
    step(items = 1) {
      done += items;
      if (performance.now() - told > betweenLinesMs) tell();
    },
    say: (line) => console.log(line),
    end,
  };
}
