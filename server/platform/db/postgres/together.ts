/** A transaction whose statements are sent at once, with its COMMIT behind them. */
import type { Outcome, Statement } from '../dialect.ts';
import { connect, type NamingPool } from './pool.ts';

/** Throws what `translatePostgresError` makes of the first failure; behind one, the COMMIT rolls back. */
export function createTogether(pool: NamingPool): (statements: Statement[]) => Promise<Outcome[]> {
  return async (statements) => {
    const { query, release } = await connect(pool);
    try {
      // Awaited: behind a BEGIN that fails, each statement would be a transaction of its own.
      await query('begin', [], 'transaction');
      const work = statements.map(({ sql, parameters }) => query(sql, parameters, 'before commit'));
      const commit = query('commit', [], 'commit');
      // All of them have ended before the connection is somebody else's.
      const failed = (await Promise.allSettled([...work, commit])).find(
        ({ status }) => status === 'rejected',
      );
      if (failed) throw (failed as PromiseRejectedResult).reason;
      const results = await Promise.all(work);
      return results.map(({ rows, rowCount }) => ({ rows, changes: rowCount ?? 0 }));
    } finally {
      release();
    }
  };
}
