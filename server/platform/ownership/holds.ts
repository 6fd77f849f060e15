/**
 * While there is a hold, the sweep removes no object: a backup reads rows first and objects second, and a photo that
 * is deleted in between must keep its bytes until they were read.
 */
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { setSetting } from '../db/settings.ts';
import type { Tables } from '../db/tables.ts';
import type { Clock } from '../process/clock.ts';

export const holdPrefix = 'hold.';

/** A process that was killed holds for so long. */
const leaseSeconds = 600;
const renewMs = 60_000;

export type Hold = Awaited<ReturnType<typeof holdObjects>>;

interface Place {
  db: { kysely: Kysely<Tables> };
  clock: Clock;
}

/** Holds from when it resolves until `release`. Objects whose row is there then are not removed meanwhile. */
export async function holdObjects({ db, clock }: Place) {
  const name = holdPrefix + randomBytes(8).toString('hex');
  let isLost = false;
  const next = () => String(clock() + leaseSeconds);
  const renew = async () => {
    const { numUpdatedRows } = await db.kysely
      .updateTable('settings')
      .set({ value: next() })
      .where('name', '=', name)
      .executeTakeFirst();
    // A sweep took it for ended: it came after `leaseSeconds`, or by a clock that jumped.
    if (numUpdatedRows === 0n) isLost = true;
  };
  await setSetting(db, name, next());
  // What fails is tried again in a minute; `check` says when that was too late.
  const timer = setInterval(() => renew().catch(() => {}), renewMs).unref();
  return {
    /** Throws when the hold has ended before: objects may have been removed since. */
    async check(): Promise<void> {
      await renew();
      if (isLost) throw new Error('the hold on the objects has run out');
    },
    async release(): Promise<void> {
      clearInterval(timer);
      await db.kysely.deleteFrom('settings').where('name', '=', name).execute();
    },
  };
}

/** Whether the sweep must leave removals for later. Forgets holds of processes that are gone. */
export async function areObjectsHeld({ db, clock }: Place): Promise<boolean> {
  const holds = await db.kysely
    .selectFrom('settings')
    .selectAll()
    .where('name', 'like', `${holdPrefix}%`)
    .execute();
  const ended = holds.filter(({ value }) => Number(value) <= clock()).map(({ name }) => name);
  if (ended.length > 0) await db.kysely.deleteFrom('settings').where('name', 'in', ended).execute();
  return holds.length > ended.length;
}
