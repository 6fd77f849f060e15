/** Told how far the work is; the command line shows it (tools/commands/progress.ts). */
export interface Progress {
  /** Another part begins, of so many rows, objects or bytes; undefined when the number is unknown. */
  begin(part: string, total?: number): void;
  step(items: number): void;
  end(): void;
}

export const silent: Progress = { begin() {}, step() {}, end() {} };
