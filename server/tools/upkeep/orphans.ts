/** Objects that no row knows: what a crash between storing and committing leaves behind. */
import type { Deps } from '../../deps.ts';
import type { Stop } from '../../platform/db/batches.ts';
import type { OpenedDatabase } from '../../platform/db/dialect.ts';
import { queueRemovals } from '../../platform/db/removals.ts';
import {
  type Brake,
  type BrakeReason,
  brakeByStamp,
  findBrake,
  holdsEverything,
  releaseBrake,
  setBrake,
} from '../../platform/ownership/brake.ts';
import { type ObjectKind, parseObjectName } from '../../platform/storage/keys.ts';
import type { Storage } from '../../platform/storage/storage.ts';

/** A day. An upload needs seconds between its objects and its row; the rest is for people and slow clocks. */
export const orphanGraceSeconds = 86_400;

/** Names in one query, below the number of parameters that either database takes. */
const orphanBatch = 500;

/** So many names are kept in memory, and removed by one sweep; those beyond are counted, and go with later ones. */
const maxOrphansNamed = 10_000;

/** More than these, and more than a hundredth of all objects, are not what crashes leave behind. */
const maxOrphans = 100;
const maxShare = 0.01;

export interface Orphans {
  /** All objects, with a row or without. */
  objects: number;
  /** Those without a row for longer than the grace period; beyond `maxOrphansNamed` also younger ones. */
  orphans: number;
  names: string[];
}

interface Search {
  graceSeconds: number;
  stop?: Stop;
  /** Told of so many objects that were looked at. */
  onStep?(objects: number): void;
}

/** Goes through all objects once, and removes none. */
export async function findOrphans(deps: Deps, { graceSeconds, stop, onStep }: Search): Promise<Orphans> {
  const found: Orphans = { objects: 0, orphans: 0, names: [] };
  for await (const names of listInBatches(deps.storage)) {
    if (stop?.aborted) break;
    found.objects += names.length;
    onStep?.(names.length);
    const unknown = await withoutRow(deps, names);
    // Each age is a question to the store: beyond the bound they would take hours, and change nothing.
    const isFull = found.names.length >= maxOrphansNamed;
    const old = isFull ? unknown : await olderThan(deps, unknown, graceSeconds);
    found.orphans += old.length;
    if (!isFull) found.names.push(...old);
  }
  return found;
}

/** All names of objects, so many at a time that one query takes them. */
export async function* listInBatches({ list }: Storage): AsyncGenerator<string[]> {
  for await (const names of list()) yield* batchesOf(names);
}

function* batchesOf(names: string[]): Generator<string[]> {
  for (let start = 0; start < names.length; start += orphanBatch)
    yield names.slice(start, start + orphanBatch);
}

/**
 * Removes objects that are in their place for longer than the grace period, without a row; none while the brake is on,
 * or when so many would go that the database may be the wrong one. Returns how many.
 */
export async function removeOrphans(deps: Deps, graceSeconds: number, stop: Stop): Promise<number> {
  const found = await findOrphans(deps, { graceSeconds, stop });
  if (stop?.aborted || (await brakesOn(deps, found))) return 0;
  return removeNamed(deps, found.names, stop);
}

/**
 * Looks again before each batch goes: a row may have been committed since. From then on none can be (`refuseMarked`), so
 * that no row loses its objects however wrong their age is. Returns how many were removed.
 */
export async function removeNamed(deps: Deps, names: string[], stop?: Stop): Promise<number> {
  let removed = 0;
  for (const batch of batchesOf(names)) {
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
 * Makes them removals, which refuse a row that comes late, and which a sweep carries out once more. Returns those that
 * have no row.
 */
function markWithoutRow({ db, clock }: Deps, names: string[]): Promise<string[]> {
  return db.kysely.transaction().execute(async (transaction) => {
    await db.lock(transaction, 'objects');
    const unknown = await withoutRow({ db: { slow: () => transaction } }, names);
    await queueRemovals(transaction, unknown, clock() + orphanGraceSeconds);
    return unknown;
  });
}

/** Whether the orphans stay; puts the brake on, keeps its counts, and takes it away when there are none left. */
async function brakesOn(deps: Deps, { objects, orphans }: Orphans): Promise<boolean> {
  const brake = await findBrake(deps);
  const reason = brake?.reason ?? (await whyTooMany(deps, { objects, orphans }));
  if (!reason) return false;
  if (orphans === 0 && (reason === 'many' || reason === 'no-images')) {
    await releaseBrake(deps);
    return false;
  }
  await setBrake(deps, { reason, since: brake?.since ?? deps.clock(), objects, orphans });
  return true;
}

/** Undefined: they are so few that they may be left over. */
export async function whyTooMany(
  { db }: Deps,
  { objects, orphans }: Pick<Orphans, 'objects' | 'orphans'>,
): Promise<BrakeReason | undefined> {
  if (orphans === 0) return undefined;
  if (await lacksRows({ db })) return 'no-images';
  return orphans > maxOrphans && orphans > objects * maxShare ? 'many' : undefined;
}

/** Whether no image is there, or no account: a restore fills the tables one after the other, `users` among the last. */
async function lacksRows({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  const image = await db.slow().selectFrom('images').select('key').limit(1).executeTakeFirst();
  const account = await db.slow().selectFrom('users').select('id').limit(1).executeTakeFirst();
  return !image || !account;
}

/** Those that are in their place for so long. */
export async function olderThan(
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

/** Those that belong to no image, no user and no upload. A removal's object waits for its time, so it is known, too. */
export async function withoutRow(
  { db }: { db: Pick<OpenedDatabase, 'slow'> },
  names: string[],
): Promise<string[]> {
  // In this order: the transaction that ends an image's row writes its removals.
  const unused = await notInUse({ db }, names);
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

/** Those that no image, no user and no upload has. */
export async function notInUse(
  { db }: { db: Pick<OpenedDatabase, 'slow'> },
  names: string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const keys = [...new Set(names.map((name) => parseObjectName(name)?.key ?? ''))];
  const namesOf = (kind: ObjectKind) => names.filter((name) => parseObjectName(name)?.kind === kind);
  const avatarNames = namesOf('avatar');
  const pieceNames = namesOf('piece');
  const [images, avatars, pieces] = await Promise.all([
    db.slow().selectFrom('images').select('key').where('key', 'in', keys).execute(),
    // PostgreSQL refuses an empty list.
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

/** The brake that is on, or that must be. Writes nothing. Throws when the storage cannot be read. */
export async function brakeNow(deps: Deps): Promise<Brake | undefined> {
  const brake = await brakeByStamp(deps);
  if (holdsEverything(brake) || !(await lacksRows(deps)) || !(await holdsOrphan(deps))) return brake;
  return { objects: null, orphans: null, ...brake, reason: 'no-images', since: deps.clock() };
}

/** Ends at the first. A gallery without photos has few other objects. */
async function holdsOrphan(deps: Deps): Promise<boolean> {
  for await (const names of listInBatches(deps.storage)) {
    const unknown = await withoutRow(deps, names);
    if ((await olderThan(deps, unknown, orphanGraceSeconds)).length > 0) return true;
  }
  return false;
}
