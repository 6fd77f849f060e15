/**
 * Finds and removes orphans: objects that no row names, left behind by a crash between storing an object and committing
 * its row.
 */
import type { Deps } from '../../deps.ts';
import type { StopSignal } from '../../platform/db/batches.ts';
import type { OpenedDatabase } from '../../platform/db/dialect.ts';
import { queueRemovals } from '../../platform/db/removals.ts';
import {
  blocksAllDeletion,
  type DeletionLock,
  type DeletionLockReason,
  findDeletionLock,
  findOrDeriveDeletionLock,
  releaseDeletionLock,
  setDeletionLock,
} from '../../platform/ownership/deletion-lock.ts';
import { type ObjectKind, parseObjectName } from '../../platform/storage/keys.ts';
import type { Storage } from '../../platform/storage/storage.ts';

/**
 * Seconds before an object without a row counts as an orphan. An upload needs only seconds between objects and row; the
 * rest of the day is for operators and wrong clocks.
 */
export const orphanGraceSeconds = 86_400;

/** Maximum number of names in a query, below the limit of parameters in both databases. */
const orphanBatch = 500;

/** Maximum number of orphan names in memory, and of removals in one maintenance run. Later runs remove the others. */
const maxOrphansNamed = 10_000;

/**
 * Maximum number of orphans that crashes can explain. More than this number, and more than a hundredth of all objects,
 * sets the deletion lock.
 */
const maxOrphans = 100;
const maxOrphanFraction = 0.01;

export interface OrphanReport {
  /** Number of all objects in the storage, with or without a row. */
  objects: number;
  /**
   * Number of objects without a row for longer than the grace period. Beyond `maxOrphansNamed`, younger objects are
   * included.
   */
  orphans: number;
  names: string[];
}

interface Search {
  graceSeconds: number;
  stop?: StopSignal;
  /** Callback with the number of objects that were checked since the last call. */
  onStep?(objects: number): void;
}

/** Searches all objects for orphans, and removes none. */
export async function findOrphans(deps: Deps, { graceSeconds, stop, onStep }: Search): Promise<OrphanReport> {
  const found: OrphanReport = { objects: 0, orphans: 0, names: [] };
  for await (const names of listObjectNamesInBatches(deps.storage)) {
    if (stop?.aborted) break;
    found.objects += names.length;
    onStep?.(names.length);
    const unknown = await filterObjectsWithoutRow(deps, names);
    // Each age needs a request to the storage. Beyond the maximum, these requests would take hours without changing the
    // result.
    const isFull = found.names.length >= maxOrphansNamed;
    const old = isFull ? unknown : await filterOlderObjects(deps, unknown, graceSeconds);
    found.orphans += old.length;
    if (!isFull) found.names.push(...old);
  }
  return found;
}

/** Yields the names of all stored objects in batches that fit into one query. */
export async function* listObjectNamesInBatches({ list }: Storage): AsyncGenerator<string[]> {
  for await (const names of list()) yield* splitIntoBatches(names);
}

function* splitIntoBatches(names: string[]): Generator<string[]> {
  for (let start = 0; start < names.length; start += orphanBatch)
    yield names.slice(start, start + orphanBatch);
}

/**
 * Removes orphans older than the grace period, and returns their number. Removes none during a deletion lock, or if so
 * many are orphans that the database may be the wrong one.
 */
export async function removeOrphans(deps: Deps, graceSeconds: number, stop: StopSignal): Promise<number> {
  const found = await findOrphans(deps, { graceSeconds, stop });
  if (stop?.aborted || (await lockIfTooMany(deps, found))) return 0;
  return removeObjectsByName(deps, found.names, stop);
}

/**
 * Removes the given objects, and returns their number. Each batch is checked again, because a row may have been
 * committed meanwhile. The batch is queued for removal first, so that `refuseQueuedForRemoval` refuses later rows and
 * no row loses its objects.
 */
export async function removeObjectsByName(deps: Deps, names: string[], stop?: StopSignal): Promise<number> {
  let removed = 0;
  for (const batch of splitIntoBatches(names)) {
    if (stop?.aborted) break;
    const marked = await markWithoutRow(deps, batch);
    for (const name of marked) {
      await deps.storage.remove(name);
      removed++;
    }
  }
  return removed;
}

/**
 * Queues removals of the objects that have no row, and returns their names. A removal makes late rows fail, and a later
 * maintenance run repeats the deletion.
 */
function markWithoutRow({ db, clock }: Deps, names: string[]): Promise<string[]> {
  return db.kysely.transaction().execute(async (transaction) => {
    await db.lock(transaction, 'objects');
    const unknown = await filterObjectsWithoutRow({ db: { slow: () => transaction } }, names);
    await queueRemovals(transaction, unknown, clock() + orphanGraceSeconds);
    return unknown;
  });
}

/**
 * Returns true if orphans must stay because of a deletion lock. Sets the lock if there are too many, updates its
 * counts, and releases the lock if none are left.
 */
async function lockIfTooMany(deps: Deps, { objects, orphans }: OrphanReport): Promise<boolean> {
  const deletionLock = await findDeletionLock(deps);
  const reason = deletionLock?.reason ?? (await findDeletionLockReason(deps, { objects, orphans }));
  if (!reason) return false;
  if (orphans === 0 && (reason === 'many' || reason === 'no-images')) {
    await releaseDeletionLock(deps);
    return false;
  }
  await setDeletionLock(deps, { reason, since: deletionLock?.since ?? deps.clock(), objects, orphans });
  return true;
}

/** Returns the reason for a deletion lock, or undefined if the orphans are so few that crashes explain them. */
export async function findDeletionLockReason(
  { db }: Deps,
  { objects, orphans }: Pick<OrphanReport, 'objects' | 'orphans'>,
): Promise<DeletionLockReason | undefined> {
  if (orphans === 0) return undefined;
  if (await lacksRows({ db })) return 'no-images';
  return orphans > maxOrphans && orphans > objects * maxOrphanFraction ? 'many' : undefined;
}

/**
 * Returns true if the database is empty or only partly restored. Objects of missing rows would then look like orphans.
 * A restore fills the table `users` late, so both `images` and `users` must have rows.
 */
async function lacksRows({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  const image = await db.slow().selectFrom('images').select('key').limit(1).executeTakeFirst();
  const account = await db.slow().selectFrom('users').select('id').limit(1).executeTakeFirst();
  return !image || !account;
}

/** Returns the names of the objects that were stored at least `seconds` seconds ago. */
export async function filterOlderObjects(
  { storage, clock }: Deps,
  names: string[],
  seconds: number,
): Promise<string[]> {
  const old: string[] = [];
  for (const name of names) {
    const stored = await storage.stat(name);
    if (stored && stored.modified + seconds <= clock()) old.push(name);
  }
  return old;
}

/**
 * Returns the names of objects that no row names: no image version, avatar, upload piece or removal. An object with a
 * removal is known and waits for its deletion.
 */
export async function filterObjectsWithoutRow(
  { db }: { db: Pick<OpenedDatabase, 'slow'> },
  names: string[],
): Promise<string[]> {
  // Removals are read last, because the transaction that deletes a version's row also queues its removals.
  const unused = await filterUnusedObjects({ db }, names);
  if (unused.length === 0) return [];
  const removals = await db
    .slow()
    .selectFrom('removals')
    .select('object')
    .where('object', 'in', unused)
    .execute();
  const known = new Set(removals.map(({ object }) => object));
  return unused.filter((name) => !known.has(name));
}

/** Returns the names of objects that belong to no image version, avatar or upload piece. */
export async function filterUnusedObjects(
  { db }: { db: Pick<OpenedDatabase, 'slow'> },
  names: string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const keys = [...new Set(names.map((name) => parseObjectName(name)?.key ?? ''))];
  const namesWithKind = (kind: ObjectKind) => names.filter((name) => parseObjectName(name)?.kind === kind);
  const avatarNames = namesWithKind('avatar');
  const pieceNames = namesWithKind('piece');
  const [images, avatars, pieces] = await Promise.all([
    db.slow().selectFrom('images').select('key').where('key', 'in', keys).execute(),
    // Without names no query runs, because PostgreSQL refuses an empty list.
    avatarNames.length === 0
      ? []
      : db.slow().selectFrom('users').select('avatar').where('avatar', 'in', avatarNames).execute(),
    pieceNames.length === 0
      ? []
      : db.slow().selectFrom('upload_pieces').select('object').where('object', 'in', pieceNames).execute(),
  ]);
  const knownKeys = new Set(images.map(({ key }) => key));
  const knownNames = new Set([...avatars.map(({ avatar }) => avatar), ...pieces.map(({ object }) => object)]);
  return names.filter((name) => !knownKeys.has(parseObjectName(name)?.key ?? '') && !knownNames.has(name));
}

/**
 * Returns the current deletion lock, or the lock that is needed now, without saving it. Throws an error if the storage
 * cannot be read.
 */
export async function findCurrentDeletionLock(deps: Deps): Promise<DeletionLock | undefined> {
  const deletionLock = await findOrDeriveDeletionLock(deps);
  if (blocksAllDeletion(deletionLock) || !(await lacksRows(deps)) || !(await holdsOrphan(deps)))
    return deletionLock;
  return { objects: null, orphans: null, ...deletionLock, reason: 'no-images', since: deps.clock() };
}

/**
 * Returns true after the first orphan is found. Without photos a gallery has few other objects, so the search is short.
 */
async function holdsOrphan(deps: Deps): Promise<boolean> {
  for await (const names of listObjectNamesInBatches(deps.storage)) {
    const unknown = await filterObjectsWithoutRow(deps, names);
    if ((await filterOlderObjects(deps, unknown, orphanGraceSeconds)).length > 0) return true;
  }
  return false;
}
