/**
 * A server in its own process, so that its CPU is measured apart from the load's CPU. `gallery DIR [URL]`
 * starts the real application on a data folder, with a database URL if given. `bare FILE TYPE` starts a
 * Fastify that sends the file's bytes for every request.
 */
import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { workerMicros, workerPeakMb } from './worker-usage.ts';

const [what, ...args] = process.argv.slice(2);
const started = performance.timeOrigin;

const url = what === 'bare' ? await serveBare(args[0]!, args[1]!) : await serveGallery(args[0]!, args[1]);
process.send!({ url, startMs: Date.now() - started });

// An interrupted bench must not leave a server running.
process.on('disconnect', () => process.exit());

process.on('message', async (question) => {
  if (question === 'usage') {
    const { user, system } = process.cpuUsage();
    process.send!({
      cpuMicros: user + system,
      workerMicros: what === 'gallery' ? await workerMicros(args[0]!) : 0,
      rssMb: process.memoryUsage.rss() / 1e6,
      peakMb: (process.resourceUsage().maxRSS * 1024) / 1e6,
      workerPeakMb: what === 'gallery' ? workerPeakMb(args[0]!) : 0,
    });
  } else if (question === 'stop') process.exit(0);
});

async function serveBare(file: string, type: string): Promise<string> {
  const bytes = readFileSync(file);
  const app = fastify();
  app.get('/*', (_request, reply) => {
    reply.header('content-type', type).send(bytes);
  });
  return app.listen({ port: 0, host: '127.0.0.1' });
}

async function serveGallery(dataDir: string, databaseUrl?: string): Promise<string> {
  const { readConfig } = await import('../server/config.ts');
  const { createApp } = await import('../server/app.ts');
  const { openDeps } = await import('../server/deps.ts');
  const { startBackgroundJobs } = await import('../server/jobs.ts');
  const { createLog } = await import('../server/platform/operations/log.ts');
  // The rate limit is active but unreachable, because its cost belongs to the measurement, like the cost of
  // the log.
  const config = readConfig({
    ...process.env,
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    RATE_LIMIT: '1000000000',
    HOST: '127.0.0.1',
  });
  const deps = await openDeps(config, createLog(config));
  const app = await createApp(deps);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  startBackgroundJobs(deps, ['visibility']);
  return url;
}
