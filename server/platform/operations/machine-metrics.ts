/** Metrics of the machine and its services: version, disk space, backups, the database, the storage and Redis. */
import { statfs } from 'node:fs/promises';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import packageFile from '../../../package.json' with { type: 'json' };
import type { Database } from '../db/index.ts';
import { findLastBackup } from '../db/last-backup.ts';
import type { CallTimes } from '../process/call-times.ts';
import type { Redis } from '../redis/connection.ts';
import type { TimedStorage } from '../storage/open.ts';
import { addGauge } from './metrics.ts';

interface MetricsDeps {
  db: Database;
  storage: TimedStorage;
  /** Undefined without REDIS_URL. */
  redis: Redis | undefined;
  config: { dataDir: string };
}

export function registerMachineMetrics(
  registry: Registry,
  { db, storage, redis, config: { dataDir } }: MetricsDeps,
): void {
  new Gauge({
    name: 'lightwell_build_info',
    help: '1, with the version of Lightwell and of Node as labels',
    labelNames: ['version', 'node'],
    registers: [registry],
    aggregator: 'max',
  }).set({ version: packageFile.version, node: process.versions.node }, 1);
  registerDatabaseMetrics(registry, db);
  registerCallMetrics(registry, 'database', db.calls);
  registerCallMetrics(registry, 'storage', storage.calls);
  if (redis) {
    const help = '1 while Redis answers, else 0; the lowest of all workers';
    addGauge(registry, 'lightwell_redis_up', help, 'min', () => Number(redis.isUp()));
  }
  const readDisk = () => statfs(dataDir);
  addGauge(registry, 'lightwell_disk_free_bytes', 'Free bytes on the volume of DATA_DIR', 'max', async () => {
    const { bavail, bsize } = await readDisk();
    return bavail * bsize;
  });
  addGauge(registry, 'lightwell_disk_bytes', 'Bytes of the volume of DATA_DIR', 'max', async () => {
    const { blocks, bsize } = await readDisk();
    return blocks * bsize;
  });
  addGauge(
    registry,
    'lightwell_last_backup_timestamp_seconds',
    'Unix time when the last complete backup began; 0 without one',
    'max',
    async () => (await findLastBackup(db)) ?? 0,
  );
}

function registerDatabaseMetrics(registry: Registry, { readLoad }: Database): void {
  for (const [name, help, read] of [
    ['connections', 'Open connections or threads', () => readLoad().connections],
    ['connections_busy', 'Connections or threads that run a statement', () => readLoad().busy],
    ['waiting', 'Statements that wait for a connection or for the writer', () => readLoad().waiting],
    ['slow_reads_running', 'Searches, counts and lists being read', () => readLoad().slowRunning],
    [
      'slow_reads_waiting',
      'Searches, counts and lists that wait for their turn',
      () => readLoad().slowWaiting,
    ],
  ] as const)
    addGauge(registry, `lightwell_database_${name}`, help, 'sum', read);
}

/** Bucket limits in seconds, from a read of SQLite to the timeout of an object store. */
const callBuckets = [0.0005, 0.002, 0.01, 0.05, 0.2, 1, 5];

/** Error names of the database and the storage, with their label. A violated unique index is no failure. */
const failures = new Map([
  ['DatabaseUnavailable', 'unavailable'],
  ['StorageUnavailable', 'unavailable'],
  ['QueryTooSlow', 'too_slow'],
  ['DatabaseFull', 'full'],
  ['StorageFull', 'full'],
]);

function registerCallMetrics(registry: Registry, service: 'database' | 'storage', calls: CallTimes): void {
  const seconds = new Histogram({
    name: `lightwell_${service}_call_seconds`,
    help: `Duration of calls to the ${service}, failed ones included`,
    labelNames: ['call'],
    buckets: callBuckets,
    registers: [registry],
  });
  const errors = new Counter({
    name: `lightwell_${service}_errors_total`,
    help: `Failed calls to the ${service}, by reason`,
    labelNames: ['reason'],
    registers: [registry],
  });
  const series = new Map<string, Histogram.Internal<'call'>>();
  calls.listen((name, duration, error) => {
    series.getOrInsertComputed(name, () => seconds.labels(name)).observe(duration);
    if (error === undefined || (error as Error).name === 'UniqueViolation') return;
    errors.inc({ reason: failures.get((error as Error).name) ?? 'other' });
  });
}
