/**
 * A machine that loses power, with the gallery's files and its database on one disk. An S3 store keeps its
 * objects, as it promises.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { durableSettings, type Postgres, startPostgres } from '../../test/support/postgres.ts';
import type { Random } from '../../test/support/random.ts';
import { makeBucket, s3Environment } from '../../test/support/s3.ts';
import type { SetupName } from '../gallery-setups.ts';
import { type DiskKind, makeDisk } from './disk.ts';

export interface Machine {
  /** Settings with which the gallery is started. */
  settings: { dataDir: string; environment: Record<string, string> };
  /**
   * Cuts the power and restores it, sometimes again during the database's recovery. Returns the number of
   * cuts. The gallery must be killed before.
   */
  cut(random: Random): Promise<number>;
  end(): Promise<void>;
}

/** Chance of another power cut during PostgreSQL's recovery. */
const recoveryCutShare = 0.25;
/** Milliseconds within which a recovery mostly ends. */
const longestRecoveryMs = 600;

/** Creates a machine, or returns the reason why this computer cannot. */
export async function makeMachine(name: SetupName, kind: DiskKind): Promise<Machine | string> {
  const disk = await makeDisk(kind);
  if (typeof disk === 'string') return disk;
  const { dataDir, folder } = disk;
  if (name === 'sqlite') {
    const cut = async () => {
      await disk.cut();
      return 1;
    };
    return { settings: { dataDir, environment: {} }, cut, end: disk.end };
  }
  let postgres: Postgres | undefined;
  const end = async () => {
    await postgres?.stop();
    await disk.end();
  };
  try {
    postgres = await startPostgres({ folder, settings: durableSettings });
    await assertDurable(postgres.url);
    await disk.flush();
    const environment = { DATABASE_URL: postgres.url, ...s3Environment(await makeBucket()) };
    return { settings: { dataDir, environment }, cut: (random) => cutBoth(postgres!, disk, random), end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function cutBoth(postgres: Postgres, disk: { cut(): Promise<void> }, random: Random): Promise<number> {
  let cuts = 0;
  for (;;) {
    await postgres.kill();
    await disk.cut();
    cuts++;
    const started = postgres.start();
    if (!random.chance(recoveryCutShare)) {
      await started;
      return cuts;
    }
    // An error of PostgreSQL itself is reported; the kill is not.
    await Promise.race([started, pause(random.below(longestRecoveryMs))]);
  }
}

/** Throws unless PostgreSQL is durable; otherwise lost rows would not be the gallery's fault. */
async function assertDurable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
      const { rows } = await client.query(`SHOW ${name}`);
      if (rows[0][name] !== 'on') throw new Error(`${name} of PostgreSQL is ${rows[0][name]}`);
    }
  } finally {
    await client.end();
  }
}
