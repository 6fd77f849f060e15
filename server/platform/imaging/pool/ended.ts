/**
 * Why a worker ended before it answered: `memory`, `time` and `room` (what it wrote) are the picture's own doing; `busy`
 * is the machine's; `gone` is the client; `closed` the server that stops; `crash` all else, a decoder's most of all.
 */
export type Ending = 'memory' | 'time' | 'room' | 'busy' | 'gone' | 'closed' | 'crash';

export class WorkerEnded extends Error {
  override name = 'WorkerEnded';
  readonly why: Ending;
  /** False where a job before may be to blame. */
  isCertain = true;

  constructor(why: Ending, detail: string) {
    super(`a picture worker ended (${why}): ${detail}`);
    this.why = why;
  }
}
