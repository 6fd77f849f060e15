/** Progress of a long command on standard error: a bar in a terminal, otherwise a line every ten seconds. */
import { SingleBar } from 'cli-progress';
import type { TransferProgress } from '../transfer/progress.ts';

const betweenLinesMs = 10_000;

interface ProgressLine extends TransferProgress {
  step(items?: number): void;
  /** Writes a line to standard output, above the progress bar. */
  printLine(line: string): void;
}

export function createProgressLine(): ProgressLine {
  return process.stderr.isTTY ? createBar() : createLines();
}

function createBar(): ProgressLine {
  // The terminal settings stay unchanged, so that Ctrl-C ends the program. The library's own handling would intercept
  // the first Ctrl-C.
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
    printLine(line) {
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
  const printProgress = () => {
    told = performance.now();
    // The line names itself progress, because a reader of a cron mail could take a bare count for a finding.
    console.error(`progress: ${part}, ${done}${total === undefined ? ' so far' : ` of ${total}`}`);
  };
  const end = () => {
    if (done > 0) printProgress();
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
      if (performance.now() - told > betweenLinesMs) printProgress();
    },
    printLine: (line) => console.log(line),
    end,
  };
}
