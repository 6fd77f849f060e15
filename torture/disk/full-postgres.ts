/**
 * PostgreSQL on a small volume of its own, which is filled. Without space for a row PostgreSQL refuses the
 * row; without space for its WAL it stops, and recovers by itself or exits. After an exit this module starts
 * PostgreSQL again, as an operator would.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { durableSettings, type Postgres, startPostgres } from '../../test/support/postgres.ts';
import { makeVolume } from '../../test/support/volumes.ts';
import { atLeast, createInfoFigure, type Figure } from '../part.ts';
import type { Scene, Trouble } from '../trouble/scene.ts';

export interface FullPostgres {
  environment: { DATABASE_URL: string };
  full(scene: Scene): Trouble;
  figures(): Figure[];
  end(): Promise<void>;
}

const volumeMb = 160;
/** Free bytes for rows: a few pages of the tables. */
const maxFreeForRows = 60_000;
/** Free bytes for the WAL, one of whose files takes one megabyte. */
const maxFreeForLog = 900_000;
const maxSwitches = 40;
/** A large WAL limit, so that no checkpoint frees space meanwhile. */
const settings = { ...durableSettings, max_wal_size: '64MB' };
/** Milliseconds between switches of WAL files. */
const switchMs = 20;
/**
 * Milliseconds between attempts to connect: each starts a PostgreSQL process, which slows the recovery on a
 * busy machine.
 */
const pollMs = 100;
const recoveryMs = 30_000;

export async function makeFullPostgres(): Promise<FullPostgres> {
  const volume = await makeVolume('postgres', volumeMb);
  if (typeof volume === 'string') throw new Error(volume);
  let postgres: Postgres | undefined;
  const end = async () => {
    await postgres?.stop();
    await volume.end();
  };
  try {
    postgres = await startPostgres({ folder: volume.folder, settings });
  } catch (error) {
    await end();
    throw error;
  }
  let begunAt = 0;
  let starts = 0;
  let turns = 0;
  const saidSince = (start: number, what: RegExp) => postgres.output().slice(start).match(what)?.length ?? 0;

  return {
    environment: { DATABASE_URL: postgres.url },
    end,
    full: ({ random }) => ({
      // A commit during the crash may be in the WAL, so its objects must stay.
      keepsObjects: true,
      async begin() {
        begunAt = postgres.output().length;
        const isOfLog = turns++ % 2 === 0;
        await volume.leaveFree(random.below(isOfLog ? maxFreeForLog : maxFreeForRows));
        if (isOfLog) await switchLog(postgres);
      },
      async end() {
        await volume.makeRoom();
        starts += await untilReady(postgres);
      },
      refusesReads: () => saidSince(begunAt, gaveUp) > 0 || !postgres.isRunning(),
    }),
    figures: () => [
      createInfoFigure('rows that PostgreSQL had no room for', saidSince(0, noRoom)),
      atLeast('times that PostgreSQL gave up, without room for its log', saidSince(0, gaveUp), 1),
      createInfoFigure('of which it ended for good, and was started again', starts),
    ],
  };
}

const gaveUp = /PANIC:/g;
const noRoom = /ERROR: .*(could not extend|No space left)/g;

/**
 * Waits until PostgreSQL accepts connections. Returns how often PostgreSQL had exited and was started again.
 */
async function untilReady(postgres: Postgres): Promise<number> {
  const end = Date.now() + recoveryMs;
  let starts = 0;
  for (;;) {
    try {
      if (!postgres.isRunning()) {
        starts++;
        await postgres.start();
      }
      await ask(postgres.url, 'SELECT 1');
      return starts;
    } catch (error) {
      if (Date.now() > end) throw error;
      await pause(pollMs);
    }
  }
}

/** Switches WAL files, as PostgreSQL does when one is full, until the next commit finds no space. */
async function switchLog({ url }: Postgres): Promise<void> {
  for (let left = maxSwitches; left > 0; left--) {
    try {
      await ask(url, `SELECT pg_logical_emit_message(false, 'torture', ''), pg_switch_wal()`);
    } catch {
      return;
    }
    await pause(switchMs);
  }
}

async function ask(connectionString: string, query: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  // The connection may break at any time.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(query);
  } finally {
    await client.end().catch(() => {});
  }
}
