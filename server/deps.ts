/** What every module works with: one plain object, made in one place, handed to `createApp`. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type Database, type DatabaseOptions, openDatabase } from './platform/db/index.ts';
import { hasSqlite, sqliteFile } from './platform/db/place.ts';
import { createSecret, readSecret, type Secret } from './platform/db/secret.ts';
import { StartError } from './platform/errors/start.ts';
import { ordinaryBytes } from './platform/imaging/bounds.ts';
import { createImaging, type Imaging } from './platform/imaging/imaging.ts';
import { removeFolder } from './platform/imaging/pool/folder.ts';
import { createPool, keptBytes } from './platform/imaging/pool/pool.ts';
import { createImagingQueue } from './platform/imaging/queue/queue.ts';
import { whenReachable } from './platform/operations/when-reachable.ts';
import {
  claimStorage,
  foreignPhotos,
  holdsObjects,
  refuseForeignPhotos,
} from './platform/ownership/claim.ts';
import { type Clock, systemClock } from './platform/process/clock.ts';
import { memoryLimit } from './platform/process/memory.ts';
import { openStorage } from './platform/storage/open.ts';
import type { Storage } from './platform/storage/storage.ts';
import { clearTemporaryFiles, temporaryName } from './platform/storage/temporary.ts';

/** Images that wait, at about a second each. */
const maxWaitingImages = 512;
/** Of one address, behind which a club may be; and of one user, who may send an album's worth of them at once. */
const maxWaitingImagesPerAddress = 256;
const maxWaitingImagesPerUser = 128;
/** What pictures may take of the memory there is: the rest is for the process itself, and for files on their way. */
const imagingPart = 0.6;

export interface Deps {
  config: Config;
  db: Database;
  storage: Storage;
  imaging: Imaging;
  clock: Clock;
  log: Logger;
  /** Signs image paths and share accesses. */
  secret: Secret;
}

/** Opens everything that the configuration names. `closeDeps` ends it again. */
export async function openDeps(config: Config, log: Logger, clock: Clock = systemClock): Promise<Deps> {
  const reach = { timeoutMs: config.startTimeoutMs, log };
  const place = {
    dataDir: config.dataDir,
    url: config.storageUrl,
    keys: config.storageKeys,
    redirect: config.storageRedirect,
  };
  const storage = await whenReachable(() => openStorage(place), reach);
  const { dataDir, databaseUrl } = config;
  const isNew = databaseUrl === undefined && !hasSqlite(dataDir);
  if (isNew && (await holdsObjects(storage))) throw foreignPhotos(sqliteFile(dataDir), storage);
  const database: DatabaseOptions = {
    dataDir: config.dataDir,
    url: config.databaseUrl,
    limits: config.databaseLimits,
    onError: (error) => log.warn({ err: error }, 'trouble with the database'),
    // Before the migrations write anything: after the operator restores the right database, the storage is unchanged.
    beforeMigrating: (opened) => refuseForeignPhotos(opened, storage),
  };
  const db = await whenReachable(() => openDatabase(database), reach);
  try {
    await claimStorage(db, storage);
  } catch (error) {
    await db.close();
    throw error;
  }
  const secret = createSecret(config.secret ?? (await readSecret(db)));
  const imaging = await openImaging(config, log).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  return { config, db, storage, imaging, clock, log, secret };
}

/** Each of the server's processes gets its part of what this machine can bear. */
async function openImaging(config: Config, log: Logger): Promise<Imaging> {
  const share = (whole: number) => Math.max(1, Math.ceil(whole / config.workers));
  const cores = share(availableParallelism());
  const memoryBytes = imagingBytes(config);
  // On the volume of the files, where there is one: it has room for pictures.
  const folder = join(config.dataDir, 'workers');
  await clearTemporaryFiles(folder, removeFolder).catch((cause: unknown) => {
    throw new StartError(`Pictures cannot be opened: ${cause}`, { cause });
  });
  return createImaging({
    queue: createImagingQueue({
      concurrency: cores,
      maxWaiting: share(maxWaitingImages),
      maxWaitingPerAddress: share(maxWaitingImagesPerAddress),
      maxWaitingPerCaller: share(maxWaitingImagesPerUser),
      memoryBytes,
    }),
    pool: createPool({
      folder,
      newName: temporaryName,
      keep: cores,
      ordinaryBytes: Math.min(ordinaryBytes, memoryBytes),
      roomyBytes: memoryBytes - cores * keptBytes,
    }),
    onEnded: (error, kind) =>
      log.warn({ err: error, kind }, 'a picture worker ended before its job was done'),
  });
}

function imagingBytes({ imagingBytes, workers }: Config): number {
  return (imagingBytes ?? memoryLimit() * imagingPart) / workers;
}

export async function closeDeps(deps: Deps): Promise<void> {
  await deps.imaging.close();
  await deps.db.close();
}
