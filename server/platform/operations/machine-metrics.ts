/** Metrics of the machine and the database: version, connections, queues, free disk space, backups. */
import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import packageFile from '../../../package.json' with { type: 'json' };
import type { Database } from '../db/index.ts';
import { findLastBackup } from '../db/last-backup.ts';
import { addGauge } from './metrics.ts';

interface MetricsDeps {
  db: Database;
  config: { dataDir: string };
}

export function registerMachineMetrics(registry: Registry, { db, config: { dataDir } }: MetricsDeps): void {
  new Gauge({
    name: 'lightwell_build_info',
    help: '1, with the version of Lightwell and of Node as labels',
    labelNames: ['version', 'node'],
    registers: [registry],
    aggregator: 'max',
  }).set({ version: packageFile.version, node: process.versions.node }, 1);
  registerDatabaseMetrics(registry, db);
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
