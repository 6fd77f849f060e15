/**
 * Holds for backups. While a hold is active, the maintenance run deletes no objects. A backup reads rows first and
 * objects later, so a photo deleted in between must keep its bytes until they are read.
 */
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { setSetting } from '../db/settings.ts';
import type { Tables } from '../db/tables.ts';
import type { Clock } from '../process/clock.ts';

export const holdSettingPrefix = 'hold.';

/** Seconds after which a hold expires if its process was killed and does not renew it. */
const leaseSeconds = 600;
const renewMs = 60_000;

export type ObjectHold = Awaited<ReturnType<typeof holdObjects>>;

interface HoldDeps {
  db: { kysely: Kysely<Tables> };
  clock: Clock;
}

/**
 * Creates a hold that lasts until `release` is called. Objects that have a row when the promise resolves are not
 * removed meanwhile.
 */
export async function holdObjects({ db, clock }: HoldDeps) {
  const name = holdSettingPrefix + randomBytes(8).toString('hex');
  let isLost = false;
  const next = () => String(clock() + leaseSeconds);
  const renew = async () => {
    const { numUpdatedRows } = await db.kysely
      .updateTable('settings')
      .set({ value: next() })
      .where('name', '=', name)
      .executeTakeFirst();
    // A maintenance run has deleted this hold as expired: the renewal came after `leaseSeconds`, or a clock jumped.
    if (numUpdatedRows === 0n) isLost = true;
  };
  await setSetting(db, name, next());
  // A failed renewal is retried after a minute. `check` throws if the retry came too late.
  const timer = setInterval(() => renew().catch(() => {}), renewMs).unref();
  return {
    /** Renews the hold. Throws when the hold expired earlier, because objects may have been removed since. */
    async check(): Promise<void> {
      await renew();
      if (isLost) throw new Error('the hold of this backup on the objects has expired');
    },
    async release(): Promise<void> {
      clearInterval(timer);
      await db.kysely.deleteFrom('settings').where('name', '=', name).execute();
    },
  };
}

/**
 * Whether the maintenance run must postpone removals because of a hold. Deletes expired holds of processes that have
 * ended.
 */
export async function areObjectsHeld({ db, clock }: HoldDeps): Promise<boolean> {
  const holds = await db.kysely
    .selectFrom('settings')
    .selectAll()
    .where('name', 'like', `${holdSettingPrefix}%`)
    .execute();
  const ended = holds.filter(({ value }) => Number(value) <= clock()).map(({ name }) => name);
  if (ended.length > 0) await db.kysely.deleteFrom('settings').where('name', 'in', ended).execute();
  return holds.length > ended.length;
}
