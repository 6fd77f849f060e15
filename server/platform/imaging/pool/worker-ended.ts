/**
 * Reason why a worker ended without an answer. `memory`, `time` and `room` (bytes written): the picture exceeded a
 * limit. `busy`: the machine was overloaded. `gone`: the client disconnected. `closed`: the server is stopping.
 * `crash`: any other reason, usually a decoder crash.
 */
export type WorkerEndReason = 'memory' | 'time' | 'room' | 'busy' | 'gone' | 'closed' | 'crash';

export class WorkerEnded extends Error {
  override name = 'WorkerEnded';
  readonly why: WorkerEndReason;
  /** The worker's exit code or signal, and its last error messages. */
  readonly detail: string;
  /** Whether this picture caused the end. False if an earlier job of the same worker may be the cause. */
  isCertain = true;

  constructor(why: WorkerEndReason, detail: string) {
    super(`a picture worker ended (${why}): ${detail}`);
    this.why = why;
    this.detail = detail;
  }
}
