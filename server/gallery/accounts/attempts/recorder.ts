/**
 * Counts attempts in memory and writes them in the background, once a second at most: who tries a thousand passwords a
 * second costs the database one statement a second, and the log a few rows an hour (ADR 44).
 */
import type { Deps } from '../../../deps.ts';
import { createJob } from '../../../platform/concurrency/job.ts';
import { type Counted, type Noted, rowsAtOnce, writeAttempts } from './store.ts';

/**
 * Kinds an hour in each process: of attempts at an account, of those at an email that was typed, of those without
 * either, and of what succeeded at an account. Each has room of its own, which noise of another kind cannot fill. Beyond
 * it an attempt at an account is told without its address, what an address did without the accounts, and then all of it
 * together.
 */
const maxRows = 500;
/** Accounts told without an address, where many addresses have filled the room for both. */
const maxAccounts = 2000;
/** Of one address: without an account; with one; with the same one. */
const maxPerAddress = 30;
const maxWithAccount = 60;
const maxPerAccount = 10;
const pauseMs = 1000;
const retryMs = 5000;

export function createRecorder(deps: Deps) {
  const bounds = createBounds();
  let waiting = new Map<string, Counted>();
  let isDue = false;
  let writtenAt = -pauseMs;

  const job = createJob({
    run: write,
    onError: (error) => deps.log.warn({ err: error }, 'attempts wait to be written to the audit log'),
    retryMs,
  });

  function add(counted: Counted): void {
    const key = JSON.stringify([counted.hour, ...partsOf(counted)]);
    const before = waiting.get(key);
    if (!before) waiting.set(key, counted);
    else waiting.set(key, { ...before, ...joined(before, counted) });
  }

  async function write(): Promise<void> {
    const rows = [...waiting.values()];
    waiting = new Map();
    isDue = false;
    writtenAt = performance.now();
    while (rows.length > 0) {
      try {
        await writeAttempts(deps, rows.slice(0, rowsAtOnce));
      } catch (error) {
        isDue = true;
        // Without those of before, which stand in the log: each statement is done or not as a whole.
        for (const row of rows) add(row);
        throw error;
      }
      rows.splice(0, rowsAtOnce);
    }
  }

  return {
    note(noted: Noted): void {
      const now = deps.clock();
      const hour = Math.floor(now / 3600);
      add({ ...bounds.narrow(noted, hour), count: 1, first: now, last: now, hour });
      if (isDue) return;
      isDue = true;
      job.startIn(Math.max(0, writtenAt + pauseMs - performance.now()));
    },
    /** Writes what waits. */
    async stop(): Promise<void> {
      await job.stop();
      await write().catch((error: unknown) =>
        deps.log.warn({ err: error }, 'attempts are missing in the audit log'),
      );
    },
  };
}

/** In whatever order they come: those that could not be written come again after others. */
function joined(one: Counted, other: Counted) {
  return {
    count: one.count + other.count,
    first: Math.min(one.first, other.first),
    last: Math.max(one.last, other.last),
  };
}

function partsOf({ action, outcome, reason, account, email, address }: Noted) {
  return [action, outcome, reason, account ?? 0, email, address];
}

/** How many kinds of attempts there were in this hour. */
function createBounds() {
  let current = 0;
  const rooms = {
    succeeded: createRoom(maxRows),
    withAccount: createRoom(maxRows),
    accounts: createRoom(maxAccounts),
    withEmail: createRoom(maxRows),
    others: createRoom(maxRows),
  };

  /** Undefined where there is no room for it. */
  function asItIs(noted: Noted): Noted | undefined {
    const { account, email, address } = noted;
    const at = (who: string): [string, number][] => [
      [`${address} ${who}`, maxPerAccount],
      [address, maxWithAccount],
    ];
    const isTaken =
      account !== undefined
        ? rooms.withAccount.take(noted, at(String(account)))
        : email !== ''
          ? rooms.withEmail.take(noted, at(email))
          : rooms.others.take(noted, [[address, maxPerAddress]]);
    return isTaken ? noted : undefined;
  }

  return {
    /** With less of it, where there are too many kinds already. */
    narrow(noted: Noted, hour: number): Noted {
      if (hour !== current) {
        current = hour;
        for (const room of Object.values(rooms)) room.clear();
      }
      const withoutAddress = { ...noted, address: '' };
      // Of these there are as many as accounts.
      if (noted.outcome === 'succeeded' && noted.account !== undefined) {
        return rooms.succeeded.take(noted, [[String(noted.account), maxPerAccount]]) ? noted : withoutAddress;
      }
      const whole = asItIs(noted);
      if (whole) return whole;
      const isAccountTold = noted.account !== undefined && rooms.withAccount.isFull();
      if (isAccountTold && rooms.accounts.take(withoutAddress, [])) return withoutAddress;
      const ofAddress = { ...noted, account: undefined, email: '' };
      const isEmailNoise = noted.email !== '' && rooms.withEmail.isFull();
      if (!isEmailNoise && rooms.others.take(ofAddress, [])) return ofAddress;
      return { ...ofAddress, address: '' };
    },
  };
}

/** A bounded set of kinds, with narrower bounds for those that are counted under the same names. */
function createRoom(max: number) {
  const known = new Set<string>();
  const counts = new Map<string, number>();

  return {
    /** Whether it is in there already, or there is room for it. */
    take(noted: Noted, bounds: [string, number][]): boolean {
      const key = JSON.stringify(partsOf(noted));
      if (known.has(key)) return true;
      if (known.size >= max || bounds.some(([name, max]) => (counts.get(name) ?? 0) >= max)) return false;
      known.add(key);
      for (const [name] of bounds) counts.set(name, (counts.get(name) ?? 0) + 1);
      return true;
    },
    isFull: () => known.size >= max,
    clear(): void {
      known.clear();
      counts.clear();
    },
  };
}
