/** Follows which test of a file runs. */
import type { Events } from './outcome.ts';

/** How far a file got. */
export interface TestProgress {
  /** `during "suite > test"`, `after "test"` or `before its first test` */
  where: string;
  /** No test runs any more. */
  isBetween: boolean;
}

/** Calls `onChange` whenever a test starts or ends. Returns a function that returns the place. */
export function followProgress(events: Events, onChange: (place: TestProgress) => void): () => TestProgress {
  /** The suite and the test that run, outermost first. */
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
