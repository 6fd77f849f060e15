/** Reads that follow from events that arrived together see one moment of the database. */
import { performance } from 'node:perf_hooks';
import type { SqliteConnection } from './statements.js';

export interface Moments {
  run: SqliteConnection['run'];
  /** What is read from now on is read as it is now. */
  end(): void;
}

/**
 * By itself, each statement takes and gives back a lock, and lets go of every page that it has read: a tenth of what a
 * list costs. Those that follow from the same events are a transaction instead. A moment is never older than its events:
 * what another process commits is seen by every request that begins to arrive afterwards. What this process commits is
 * seen from when it is told, if `end` is called then.
 */
export function createMoments(connection: SqliteConnection): Moments {
  let current: Look | undefined;

  function begin(): void {
    const now = performance.nodeTiming.uvMetricsInfo;
    if (current && isSameLook(current, now)) return;
    end();
    connection.run('BEGIN', []);
    current = now;
    setImmediate(endOf, now);
  }

  function endOf(one: Look): void {
    if (current === one) end();
  }

  function end(): void {
    if (current === undefined) return;
    current = undefined;
    try {
      connection.run('COMMIT', []);
    } catch {
      // Nothing was written, and a disk that fails may have ended it; but while there is one, no other begins.
      connection.rollBack();
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

/** A look of the loop for events. `loopCount`: in which turn; `events`: how many all looks before it have found. */
interface Look {
  loopCount: number;
  events: number;
}

/** Where 1024 events are ready, the loop looks again in the same turn. Of a socket that was closed none is counted. */
const manyEvents = 512;

const isSameLook = (one: Look, other: Look) =>
  one.loopCount === other.loopCount && other.events - one.events < manyEvents;
