/** Dependencies of all modules: one plain object that is created once and passed to `createApp`. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { hasSqlite, sqliteFile } from './platform/db/database-location.ts';
import { type Database, type DatabaseOptions, openDatabase } from './platform/db/index.ts';
import { createGallerySecret, type GallerySecret, readGallerySecret } from './platform/db/secret.ts';
import { StartError } from './platform/errors/start.ts';
import { ordinaryJobBytes } from './platform/imaging/bounds.ts';
import { createImaging, type Imaging } from './platform/imaging/imaging.ts';
import { removeWorkerFolder } from './platform/imaging/pool/folder.ts';
import { createWorkerPool, maxReusedWorkerBytes } from './platform/imaging/pool/pool.ts';
import { createImagingQueue } from './platform/imaging/queue/queue.ts';
import { retryUntilReachable } from './platform/operations/when-reachable.ts';
import {
  claimStorage,
  foreignPhotosError,
  hasStoredObjects,
  refuseForeignPhotos,
} from './platform/ownership/claim.ts';
import { type Clock, systemClock } from './platform/process/clock.ts';
import { memoryLimit } from './platform/process/memory.ts';
import { openStorage, type TimedStorage, timeStorage } from './platform/storage/open.ts';
import { clearTemporaryFiles, temporaryName } from './platform/storage/temporary.ts';

/** Maximum images that wait for processing. Each takes about a second. */
const maxWaitingImages = 512;
/**
 * Maximum waiting images for one IP address and for one user. A whole club may share an IP address, and a user may
 * upload a whole album at once.
 */
const maxWaitingImagesPerAddress = 256;
const maxWaitingImagesPerUser = 128;
/** Fraction of the machine's memory for decoding pictures. The process itself and uploads need the rest. */
const imagingMemoryShare = 0.6;

export interface Deps {
  config: Config;
  db: Database;
  storage: TimedStorage;
  imaging: Imaging;
  clock: Clock;
  log: Logger;
  /** Secret that signs image paths and the access tokens of shares. */
  secret: GallerySecret;
}

/**
 * Opens the database, the storage and the picture workers that the configuration names. `closeDeps` closes the
 * dependencies.
 */
export async function openDeps(config: Config, log: Logger, clock: Clock = systemClock): Promise<Deps> {
  const reach = { timeoutMs: config.startTimeoutMs, log };
  const place = {
    dataDir: config.dataDir,
    url: config.storageUrl,
    keys: config.storageKeys,
    redirect: config.storageRedirect,
  };
  const storage = timeStorage(await retryUntilReachable(() => openStorage(place), reach));
  const { dataDir, databaseUrl } = config;
  const isNew = databaseUrl === undefined && !hasSqlite(dataDir);
  if (isNew && (await hasStoredObjects(storage))) throw foreignPhotosError(sqliteFile(dataDir), storage);
  const database: DatabaseOptions = {
    dataDir: config.dataDir,
    url: config.databaseUrl,
    limits: config.databaseLimits,
    onError: (error) => log.warn({ err: error }, 'a database connection failed'),
    // The check runs before the migrations write anything. If the operator then restores the right database, the
    // storage is unchanged.
    beforeMigrating: (opened) => refuseForeignPhotos(opened, storage),
  };
  const db = await retryUntilReachable(() => openDatabase(database), reach);
  try {
    await claimStorage(db, storage);
  } catch (error) {
    await db.close();
    throw error;
  }
  const secret = createGallerySecret(config.secret ?? (await readGallerySecret(db)));
  const imaging = await openImaging(config, log).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  return { config, db, storage, imaging, clock, log, secret };
}

/** Opens the pool of picture workers. Each server process gets an equal part of the machine's cores and memory. */
async function openImaging(config: Config, log: Logger): Promise<Imaging> {
  const shareOfWorker = (whole: number) => Math.max(1, Math.ceil(whole / config.workers));
  const cores = shareOfWorker(availableParallelism());
  const memoryBytes = imagingBytes(config);
  // Temporary pictures lie in the data folder, because its volume has space for pictures.
  const folder = join(config.dataDir, 'workers');
  await clearTemporaryFiles(folder, removeWorkerFolder).catch((cause: unknown) => {
    throw new StartError(`The server cannot decode pictures: ${cause}`, { cause });
  });
  return createImaging({
    queue: createImagingQueue({
      concurrency: cores,
      maxWaiting: shareOfWorker(maxWaitingImages),
      maxWaitingPerAddress: shareOfWorker(maxWaitingImagesPerAddress),
      maxWaitingPerCaller: shareOfWorker(maxWaitingImagesPerUser),
      memoryBytes,
    }),
    pool: createWorkerPool({
      folder,
      newName: temporaryName,
      maxIdle: cores,
      ordinaryBytes: Math.min(ordinaryJobBytes, memoryBytes),
      roomyBytes: memoryBytes - cores * maxReusedWorkerBytes,
    }),
    onEnded: (error, kind) =>
      log.warn({ kind, cause: error.message }, 'a picture worker exited before its job was done'),
  });
}

function imagingBytes({ imagingBytes, workers }: Config): number {
  return (imagingBytes ?? memoryLimit() * imagingMemoryShare) / workers;
}

export async function closeDeps(deps: Deps): Promise<void> {
  await deps.imaging.close();
  await deps.db.close();
}
