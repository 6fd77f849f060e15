/** Opens the database and storage, listens for requests, and stops gracefully on a signal. */
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { closeDeps, type Deps, openDeps } from './deps.ts';
import { ensureConfiguredAdmin } from './gallery/accounts/admin.ts';
import { createSetupCode } from './gallery/accounts/setup.ts';
import { warnAboutOpenRegistration } from './gallery/site/access.ts';
import { startBackgroundJobs } from './jobs.ts';
import { maxConnections } from './platform/connections/bounds.ts';
import { listenError, StartError } from './platform/errors/start.ts';
import { describeMissingProtections } from './platform/imaging/pool/launch.ts';
import { describeStartFailure } from './platform/imaging/pool/start-failure.ts';
import { createLog } from './platform/operations/log.ts';
import { printWelcome } from './platform/operations/welcome.ts';
import { sendSetupCode } from './platform/process/messages.ts';

/** Milliseconds that running uploads get to finish after a stop signal. Then their connections are closed. */
const uploadGraceMs = 20_000;
const stopGraceMs = 25_000;
/** Milliseconds that pictures in the worker processes get to finish after a stop signal. */
const pictureGraceMs = 5_000;
const sameSignalMs = 1000;

/**
 * Serves requests until SIGTERM or SIGINT, as the only process or as one of several workers. Resolves when the server
 * listens.
 */
export async function serveRequests(config: Config): Promise<void> {
  const log = createLog(config);
  const deps = await exitableWhileOpening(openDeps(config, log));
  await ensureConfiguredAdmin(deps);
  if (isFirstWorker()) {
    const { storage, db } = deps;
    for (const warning of [...config.warnings, ...storage.warnings, ...db.warnings]) log.warn(warning);
    await warnAboutOpenRegistration(deps);
  }
  const setup = isFirstWorker() ? await createSetupCode(deps) : undefined;
  if (cluster.isWorker && setup !== undefined) sendSetupCode(setup);
  const app = await createApp(deps);
  app.server.maxConnections = Math.ceil(maxConnections / config.workers);
  const stopJobs = startBackgroundJobs(deps);
  const listening = app
    .listen({
      port: config.port,
      host: config.host,
      listenTextResolver: (address) => `listening at ${address}`,
    })
    .catch((error: unknown) => {
      throw listenError(error, config);
    });
  await exitableWhileOpening(Promise.all([listening, tryWorkers(deps)]));
  if (!cluster.isWorker) printWelcome(config, app.addresses(), setup);

  let stopAsked = 0;
  async function stop(signal: string): Promise<void> {
    const now = performance.now();
    // Ctrl-C may arrive twice at once, from the terminal and through npm. A second signal after `sameSignalMs` is
    // deliberate and ends the process at once.
    if (stopAsked && now - stopAsked > sameSignalMs) process.exit(1);
    if (stopAsked) return;
    stopAsked = now;
    // Balancers notice the failed readiness and send requests elsewhere before the port closes.
    if (signal === 'SIGTERM' && config.stopDelayMs > 0) {
      app.shared.stop.hasBegun = true;
      log.info({ signal, seconds: config.stopDelayMs / 1000 }, 'not ready any more, and still serving');
      await sleep(config.stopDelayMs);
    }
    log.info({ signal }, 'stopping after the current requests are complete');
    setTimeout(() => app.server.closeAllConnections(), uploadGraceMs).unref();
    // Clients that still wait for a picture then get an error that tells them to retry.
    setTimeout(() => deps.imaging.pool.close(), pictureGraceMs).unref();
    setTimeout(() => process.exit(1), stopGraceMs).unref();
    await stopJobs(app.close());
    await closeDeps(deps);
    log.info('stopped');
    log.flush();
    process.exitCode = 0;
    // An open channel to the primary process would keep the worker process alive.
    cluster.worker?.disconnect();
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/**
 * Starts a picture worker as a test. Throws StartError on failure. Logs a warning about each sandbox feature that this
 * system lacks.
 */
async function tryWorkers({ imaging, log }: Deps): Promise<void> {
  const walls = await imaging.pool.testSandbox().catch((error: unknown) => {
    throw new StartError(`The server cannot decode pictures: ${describeStartFailure(error)}`, {
      cause: error,
    });
  });
  const missing = describeMissingProtections(walls);
  if (missing.length > 0 && process.platform === 'linux')
    log.warn(`The picture workers lack some protections: ${missing.join('; ')}. See docs/threats.md.`);
}

/**
 * Whether this is the first worker or the only process. A worker that replaces another must not invalidate the setup
 * link that was already printed.
 */
function isFirstWorker(): boolean {
  return !cluster.isWorker || cluster.worker?.id === 1;
}

/**
 * Lets a stop signal end the process at once while `opening` still waits, e.g. for the database. The first process of a
 * container ignores signals without a handler.
 */
async function exitableWhileOpening<Value>(opening: Promise<Value>): Promise<Value> {
  const exitNow = () => process.exit(0);
  process.once('SIGTERM', exitNow);
  process.once('SIGINT', exitNow);
  try {
    return await opening;
  } finally {
    process.off('SIGTERM', exitNow);
    process.off('SIGINT', exitNow);
  }
}
