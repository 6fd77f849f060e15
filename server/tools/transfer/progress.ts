/** Progress of a transfer. The command line shows the progress (tools/commands/progress.ts). */
export interface TransferProgress {
  /** Starts a part of the transfer with `total` rows, objects or bytes, or undefined if their number is unknown. */
  begin(part: string, total?: number): void;
  step(items: number): void;
  end(): void;
}

export const silentProgress: TransferProgress = { begin() {}, step() {}, end() {} };
