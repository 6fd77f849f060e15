/** Tracks which test of a file runs. */
import type { Events } from './outcome.ts';

/** The progress of a test file. */
export interface TestProgress {
  /** The current place in the file: `during "suite > test"`, `after "test"` or `before its first test`. */
  where: string;
  /** True if no test is running. */
  isBetween: boolean;
}

/** Calls `onChange` when a test starts or ends. Returns a function that returns the current progress. */
export function followProgress(events: Events, onChange: (place: TestProgress) => void): () => TestProgress {
  /** The names of the running suites and test, outermost first. */
  let running: string[] = [];
  let last = '';
  const readProgress = (): TestProgress => {
    if (running.length > 0) return { where: `during "${running.join(' > ')}"`, isBetween: false };
    return { where: last ? `after "${last}"` : 'before its first test', isBetween: last !== '' };
  };
  events.on('test:dequeue', ({ name, nesting }) => {
    running = [...running.slice(0, nesting), name];
    onChange(readProgress());
  });
  events.on('test:complete', ({ name, nesting }) => {
    running = running.slice(0, nesting);
    last = name;
    onChange(readProgress());
  });
  return readProgress;
}
