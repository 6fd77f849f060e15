/** Told how far the work is; the command line shows it (tools/commands/progress.ts). */
export interface Progress {
  /** A step begins, of so many rows, groups of objects or bytes. */
  begin(part: string, total: number): void;
  step(items: number): void;
  end(): void;
}

/** Shows nothing. */
export const silent: Progress = { begin() {}, step() {}, end() {} };
