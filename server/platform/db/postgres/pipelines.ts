/** Short reads share connections: each is sent at once, behind those that are under way there (ADR 27). */
import { currentCaller } from '../../concurrency/fair-order.ts';
import { createFairQueue, type FairQueue } from '../../concurrency/fair-queue.ts';
import { DatabaseUnavailable, type Rows } from '../dialect.ts';
import { type Connection, connect, type NamingPool } from './pool.ts';

/** A read that waits for a lock holds up those behind it: these are few. */
const maxUnderWay = 4;
/** Then the connection is given back: others wait for it, or it is due to be replaced. */
const maxReads = 200;

const maxWaiting = 1000;

interface Pipeline {
  connection: Promise<Connection>;
  underWay: number;
  reads: number;
}

/** Runs a statement that only reads. Throws what `translatePostgresError` makes of its failure. */
export type Read = (text: string, parameters: readonly unknown[]) => Promise<Rows>;

export function createRead(pool: NamingPool): Read {
  /** Those that take further reads. */
  const open = new Set<Pipeline>();

  function enter(): Pipeline {
    let pipeline = open.values().find(({ underWay }) => underWay < maxUnderWay);
    if (!pipeline) {
      pipeline = { connection: connect(pool), underWay: 0, reads: 0 };
      open.add(pipeline);
    }
    pipeline.underWay++;
    if (++pipeline.reads === maxReads) open.delete(pipeline);
    return pipeline;
  }

  function leave(pipeline: Pipeline): void {
    if (--pipeline.underWay > 0) return;
    open.delete(pipeline);
    pipeline.connection.then(
      ({ release }) => release(),
      () => {},
    );
  }

  async function read(text: string, parameters: readonly unknown[]): Promise<Rows> {
    const pipeline = enter();
    try {
      const { query } = await pipeline.connection;
      return (await query(text, parameters, 'transaction')).rows as Rows;
    } finally {
      leave(pipeline);
    }
  }

  const { max, connectionTimeoutMillis } = pool.pool.options;
  const queue = queueForReads(max * maxUnderWay, connectionTimeoutMillis!);
  return (text, parameters) => {
    const caller = currentCaller();
    // Who asks is not known yet: it is what finds that out.
    if (caller.name === '') return read(text, parameters);
    return queue.with(caller, () => read(text, parameters));
  };
}

/** Four hundred reads that one caller asks for at once are not in front of everybody else's. */
function queueForReads(places: number, maxWaitMs: number): FairQueue {
  return createFairQueue({
    maxRunning: places,
    maxRunningPerCaller: Math.ceil(places / 2),
    maxWaiting,
    maxWaitingPerAddress: maxWaiting,
    maxWaitingPerCaller: maxWaiting,
    maxWaitMs,
    refuse: () => new DatabaseUnavailable('too many reads wait'),
  });
}
