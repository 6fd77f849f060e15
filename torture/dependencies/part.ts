/**
 * `dependencies`: PostgreSQL, the store and Redis disappear, come back empty, or fail now and then. Meanwhile
 * clients may only be told to retry, and everything must work soon afterwards without a restart.
 */

import { type Postgres, startPostgres } from '../../test/support/postgres.ts';
import type { Random } from '../../test/support/random.ts';
import { type RedisServer, startRedis, withoutRedis } from '../../test/support/redis.ts';
import { makeBucket, s3Environment } from '../../test/support/s3.ts';
import { type S3Fault, type S3Proxy, startS3Proxy } from '../../test/support/s3-proxy.ts';
import { createInfoFigure, type Part, untried } from '../part.ts';
import type { Scene, Settings, Trouble } from '../trouble/scene.ts';
import { inTurn } from '../trouble/turns.ts';

const msOfOne = 12_000;
/** Time limit for recovery after the database is back, on a busy machine. */
const recoversInMs = 5000;
/** Fraction of store requests that fail. */
const failingShare = 0.3;

export const dependencies: Part = {
  name: 'dependencies',
  about: 'PostgreSQL, the store and Redis go away or fail: clear refusals, soon over, without a restart',
  share: 5,
  homes: ['postgres'],
  async run(surroundings) {
    const { home, seed } = surroundings;
    const dependencies = await openDependencies(home.dataDir);
    try {
      const { settings, troublesOf } = dependencies;
      return [
        ...(withoutRedis ? [untried('Redis away, emptied, asleep', withoutRedis)] : []),
        ...(await inTurn(surroundings, { settings, msOfOne }, troublesOf)),
        createInfoFigure('seed', seed),
      ];
    } finally {
      await dependencies.end();
    }
  },
};

interface Dependencies {
  settings: Settings;
  troublesOf(scene: Pick<Scene, 'random'>): [string, Trouble][];
  end(): Promise<void>;
}

/** Starts separate dependencies that can be stopped; store requests go through a proxy. */
async function openDependencies(dataDir: string): Promise<Dependencies> {
  const postgres = await startPostgres();
  const proxy = await startS3Proxy();
  const redis = withoutRedis ? undefined : await startRedis();
  const environment = {
    DATABASE_URL: postgres.url,
    ...s3Environment(await makeBucket(proxy.url)),
    // The server asks Redis for its limits at each request, and never reaches them.
    ...(redis && { REDIS_URL: redis.url, RATE_LIMIT: '1000000', UPLOAD_RATE_LIMIT: '1000000' }),
  };
  return {
    settings: { dataDir, environment },
    troublesOf: ({ random }) => [
      ['PostgreSQL restarted', restarted(postgres)],
      ['three in ten requests to the store fail', failing(proxy, random, 'error')],
      ['PostgreSQL away', away(postgres)],
      ['three in ten answers of the store are lost', failing(proxy, random, 'lost')],
      ['store away', failing(proxy, random, 'reset', 1)],
      ...(redis ? listRedisTroubles(redis) : []),
    ],
    async end() {
      await redis?.stop();
      await proxy.close();
      await postgres.stop();
    },
  };
}

/**
 * Trouble with the database: the outcome of a commit without an answer is unknown, so objects may stay until
 * the maintenance run.
 */
const createDatabaseTrouble = { keepsObjects: true, refusesReads: () => true, recoversInMs };

function restarted(postgres: Postgres): Trouble {
  return { ...createDatabaseTrouble, begin: () => postgres.restart(), end: async () => {} };
}

function away(postgres: Postgres): Trouble {
  return { ...createDatabaseTrouble, begin: () => postgres.kill(), end: () => postgres.start() };
}

/** Trouble with the store: lists come from the database, so only pictures may be refused. */
function failing(proxy: S3Proxy, random: Random, fault: S3Fault, share = failingShare): Trouble {
  return {
    keepsObjects: true,
    refusesReads: (path) => path.startsWith('/storage/'),
    recoversInMs,
    async begin() {
      proxy.fault = () => (random.chance(share) ? fault : undefined);
    },
    async end() {
      proxy.fault = () => undefined;
    },
  };
}

/** Trouble with Redis: the server counts limits in memory meanwhile, so no client may notice. */
function listRedisTroubles(redis: RedisServer): [string, Trouble][] {
  const unnoticed = { refusesNothing: true };
  return [
    ['Redis away', { ...unnoticed, begin: redis.stop, end: redis.start }],
    [
      'Redis emptied',
      {
        ...unnoticed,
        async begin() {
          await redis.command('FLUSHALL');
        },
        end: async () => {},
      },
    ],
    ['Redis asleep', { ...unnoticed, begin: async () => redis.sleep(), end: async () => redis.wake() }],
  ];
}
