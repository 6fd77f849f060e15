/**
 * The brake on removal: a row of `settings` that stands from when the sweep finds that the database may be the wrong
 * one for its storage until a person has looked (`lightwell orphans`). Nothing else takes it away (ADR 21).
 */
import type { Kysely } from 'kysely';
import type { OpenedDatabase } from '../db/dialect.ts';
import { findJson, setSetting } from '../db/settings.ts';
import type { Tables } from '../db/tables.ts';
import type { Clock } from '../process/clock.ts';
import type { Storage } from '../storage/storage.ts';
import { knowsStamp } from './stamp.ts';

export const brakeSetting = 'brake';

/**
 * `adopted`: the database took a storage that held photos. `stamp`: another database, or another state of this one,
 * used the storage since. `no-images`: no image at all, or no account. `many`: what would go is too much to be left
 * over.
 */
export type BrakeReason = 'adopted' | 'stamp' | 'no-images' | 'many';

export interface Brake {
  reason: BrakeReason;
  /** Unix seconds. */
  since: number;
  /** Objects altogether, and those without a row, when they were last counted; null: not yet. */
  objects: number | null;
  orphans: number | null;
}

interface Place {
  db: { kysely: Kysely<Tables> };
}

export function findBrake({ db }: Place): Promise<Brake | undefined> {
  return findJson(db, brakeSetting);
}

/**
 * The one that is on, or that a foreign stamp asks for: also before the first sweep on a restored database has put it
 * on. Writes nothing. Throws when the storage cannot be read.
 */
export async function brakeByStamp({
  db,
  storage,
  clock,
}: {
  db: OpenedDatabase;
  storage: Storage;
  clock: Clock;
}): Promise<Brake | undefined> {
  const brake = await findBrake({ db });
  if (holdsEverything(brake) || (await knowsStamp({ db, storage }))) return brake;
  return { objects: null, orphans: null, ...brake, reason: 'stamp', since: clock() };
}

export function setBrake({ db }: Place, brake: Brake): Promise<void> {
  return setSetting(db, brakeSetting, JSON.stringify(brake));
}

export async function releaseBrake({ db }: Place): Promise<void> {
  await db.kysely.deleteFrom('settings').where('name', '=', brakeSetting).execute();
}

/**
 * Whether the trash, old versions and removals wait, too: what this database calls superfluous may have been wanted
 * again since, or be wanted by the right one. Too many orphans alone say nothing against them.
 */
export function holdsEverything(brake: Brake | undefined): boolean {
  return brake !== undefined && brake.reason !== 'many';
}

const reasons: Record<BrakeReason, string> = {
  adopted: 'the database has adopted a storage that held photos already',
  stamp:
    'the storage was used by another database, or by another state of this one (was an older backup restored?)',
  'no-images': 'the database has no image or no account at all, and the storage holds objects',
  many: 'too many objects have no row in the database',
};

/** One line for the log, a terminal and the check. */
export function describeBrake(brake: Brake): string {
  const counts = brake.orphans === null ? '' : `; ${brake.orphans} of ${brake.objects} objects have no row`;
  const held = holdsEverything(brake) ? 'nothing is removed' : 'no objects without a row are removed';
  return `${held}: ${reasons[brake.reason]}${counts}. To look, and to go on: lightwell orphans`;
}
