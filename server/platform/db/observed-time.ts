/**
 * Time that the servers of a gallery have seen pass. A clock that jumps, e.g. because of an empty battery, must not
 * delete anything for good. Each server records the time of its clock every hour, in one row of `settings`. If the
 * clock is more than a day ahead of the record, everything that falls due in between waits for a day of running time.
 */
import type { Kysely } from 'kysely';
import { type Clock, maxClockSkew } from '../process/clock.ts';
import { findJsonSetting, findSetting, insertSettingIfAbsent, leaseSettingPrefix } from './settings.ts';
import type { Tables } from './tables.ts';

const observedTimeSetting = 'observed time';
const day = 86_400;
/** Seconds between two records that count as seen. Servers record the time every hour. */
const maxSeenSeconds = 7200;
/** Attempts to write the record while other servers write it. */
const maxTries = 5;

/** Times in Unix seconds. Deletions that fall due between `from` and `to` wait until `waited` is a day. */
export interface ClockJump {
  from: number;
  to: number;
  /** Seconds that the servers have seen pass since the jump. */
  waited: number;
}

export interface ObservedTime {
  time: number;
  jump?: ClockJump;
}

interface DatabaseOwner {
  db: { kysely: Kysely<Tables> };
  clock: Clock;
}

/** Records the time of this server's clock. `isNew` says that this record was the first after a jump. */
export async function recordObservedTime(
  { db, clock }: DatabaseOwner,
  lease: string,
): Promise<ObservedTime & { isNew: boolean }> {
  for (let tries = 1; ; tries++) {
    const now = clock();
    const first = JSON.stringify({ time: (await findLeaseEnd(db, lease)) ?? now } satisfies ObservedTime);
    const before = await insertSettingIfAbsent(db, observedTimeSetting, first);
    const earlier = JSON.parse(before) as ObservedTime;
    const observed = advanceObservedTime(earlier, now);
    const { numUpdatedRows } = await db.kysely
      .updateTable('settings')
      .set({ value: JSON.stringify(observed) })
      .where('name', '=', observedTimeSetting)
      .where('value', '=', before)
      .executeTakeFirst();
    if (numUpdatedRows === 0n && tries < maxTries) continue;
    return { ...observed, isNew: observed.jump !== undefined && observed.jump.to !== earlier.jump?.to };
  }
}

/** Returns the jump of the clock that deletions wait for. Writes nothing. */
export async function findClockJump({ db, clock }: DatabaseOwner): Promise<ClockJump | undefined> {
  const earlier = await findJsonSetting<ObservedTime>(db, observedTimeSetting);
  return earlier && advanceObservedTime(earlier, clock()).jump;
}

/** Returns the clock for deletions that cannot be undone. The clock stands still while a jump waits. */
export async function findDeletionClock(deps: DatabaseOwner): Promise<Clock> {
  const jump = await findClockJump(deps);
  return jump ? () => jump.from : deps.clock;
}

/** Returns the record after a server with the time `now`. The server's clock may be behind the last record. */
export function advanceObservedTime({ time, jump }: ObservedTime, now: number): ObservedTime {
  const from = jump?.from ?? time;
  if (now < time - maxClockSkew) return now - from > day ? startJump(from, now) : { time: now };
  if (now - time > day) return startJump(from, now);
  if (!jump) return { time: now };
  const waited = jump.waited + Math.min(Math.max(now - time, 0), maxSeenSeconds);
  return waited < day ? { time: now, jump: { ...jump, waited } } : { time: now };
}

function startJump(from: number, now: number): ObservedTime {
  return { time: now, jump: { from, to: now, waited: 0 } };
}

/** Returns the end of the last lease, for a gallery of a version that recorded no time. */
async function findLeaseEnd(db: DatabaseOwner['db'], lease: string): Promise<number | undefined> {
  const end = Number(await findSetting(db, leaseSettingPrefix + lease));
  return end > 0 ? end : undefined;
}
