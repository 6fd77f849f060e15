/** Serves in this process, or in as many as `WORKERS` says. Loads only what the one or the other needs. */
import cluster from 'node:cluster';
import type { Config } from './config.ts';

export async function start(config: Config): Promise<void> {
  if (config.workers > 1 && cluster.isPrimary) {
    const { supervise } = await import('./platform/cluster/primary.ts');
    return supervise(config);
  }
  const { serve } = await import('./serve.ts');
  return serve(config);
}
