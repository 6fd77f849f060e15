/** Reads of one turn of the event loop together, of one moment of the database. */
import { performance } from 'node:perf_hooks';
import type { SqliteConnection } from './statements.js';

export interface Moments {
  run: SqliteConnection['run'];
  /** What is read from now on is read as it is now. */
  end(): void;
}

/**
 * By itself, each statement takes and gives back a lock, and lets go of every page that it has read: a tenth of what a
 * list costs. Those of one turn are a transaction instead. A moment is never older than the events of its turn: what
 * another process commits is seen by every request that arrives afterwards. What this process commits is seen from when
 * it is told, if `end` is called then.
 */
export function createMoments(connection: SqliteConnection): Moments {
  let turn: number | undefined;

  function begin(): void {
    const now = performance.nodeTiming.uvMetricsInfo.loopCount;
    if (turn === now) return;
    // Of the turn before, where what answers it reads as well.
    end();
    connection.run('BEGIN', []);
    turn = now;
    setImmediate(endOf, now);
  }

  function endOf(one: number): void {
    if (turn === one) end();
  }

  function end(): void {
    if (turn === undefined) return;
    turn = undefined;
    // A disk that fails may have ended it.
    if (!connection.isInTransaction()) return;
    try {
      connection.run('COMMIT', []);
    } catch {
      // Nothing was written; but it has to end, or no other begins.
      connection.exec('ROLLBACK');
    }
  }

  return {
    end,
    run(sql, parameters) {
      begin();
      try {
        return connection.run(sql, parameters);
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}
