/**
 * Who waits for something scarce, and who is next: round robin by address and by user. A job is the later in the order,
 * the later its address or its user was served, whichever was the more recent. So neither many jobs nor many accounts at
 * one address are served more often, nor is one account with many addresses.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom jobs and places are counted. */
export interface Caller {
  /** The user, else the address: platform/connections/address.ts. */
  name: string;
  /** Behind which many users may be; '' for what the server does by itself. */
  address: string;
  /** All jobs of this object belong to one request, and count as one while they wait. */
  isRequest?: true;
}

/** What one user, or one address, has here. */
interface Share {
  key: string;
  running: number;
  /** Counts requests, and single jobs of callers that are no request. */
  waiting: number;
  /** How many users of an address wait. */
  queues: number;
  /** Counted: when it began to wait, or a job of it last began or ended. */
  since: number;
  /** The caller of the job that began last. */
  served?: Caller;
}

export interface Ticket<Job> {
  readonly job: Job;
  readonly caller: Caller;
  /** Of the caller by name. */
  readonly own: Readonly<Share>;
  readonly address: Readonly<Share>;
}

export interface WaitingBounds {
  /** Of all; and as many again of callers who have nothing waiting yet. So it is for an address. */
  maxWaiting: number;
  maxWaitingPerAddress: number;
  maxWaitingPerCaller: number;
}

export function createFairOrder<Job>(bounds: WaitingBounds) {
  const shares = new Map<string, Share>();
  /** By user and address. */
  const queues = new Map<string, Set<Ticket<Job>>>();
  /** Number of waiting jobs by request. */
  const waitingByRequest = new Map<Caller, number>();
  let now = 0;
  let running = 0;
  let waiting = 0;

  function shareOf(key: string): Share {
    return shares.get(key) ?? { key, running: 0, waiting: 0, queues: 0, since: 0 };
  }

  function changeShares({ own, address }: Ticket<Job>, change: (share: Share) => void): void {
    for (const share of [own, address]) {
      change(share);
      if (share.running > 0 || share.waiting > 0) shares.set(share.key, share);
      else shares.delete(share.key);
    }
  }

  /** It waits no longer; does nothing to one that does not wait. */
  function leave(ticket: Ticket<Job>): void {
    const key = queueOf(ticket);
    const queue = queues.get(key);
    if (!queue?.delete(ticket)) return;
    const isLast = queue.size === 0;
    if (isLast) queues.delete(key);
    const counted = countOfRequest(ticket, -1) === 0 ? 1 : 0;
    waiting -= counted;
    changeShares(ticket, (share) => {
      share.waiting -= counted;
      if (isLast) share.queues--;
    });
  }

  /** Returns how many other jobs of the same request wait. */
  function countOfRequest({ caller }: Ticket<Job>, change: 1 | -1): number {
    if (!caller.isRequest) return 0;
    const before = waitingByRequest.get(caller) ?? 0;
    const after = before + change;
    if (after > 0) waitingByRequest.set(caller, after);
    else waitingByRequest.delete(caller);
    return Math.min(before, after);
  }

  /** The first that waits of each user of each address, in no order. */
  function* firsts(): Generator<Ticket<Job>> {
    for (const [first] of queues.values()) yield first!;
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
    /** For a job that begins or waits at once, or never. */
    ticket: (caller: Caller, job: Job): Ticket<Job> => ({
      job,
      caller,
      own: shareOf(caller.name),
      // Visitors without an account are one caller of their address, not the address as a whole.
      address: shareOf(`at ${caller.address}`),
    }),
    hasRoom({ caller, own, address }: Ticket<Job>): boolean {
      if (waitingByRequest.has(caller)) return true;
      if (own.key === '') return waiting < bounds.maxWaiting;
      const times = own.waiting === 0 ? 2 : 1;
      return (
        own.waiting < bounds.maxWaitingPerCaller &&
        address.waiting < times * bounds.maxWaitingPerAddress &&
        waiting < times * bounds.maxWaiting
      );
    },
    /** Whether the caller has reached the bound for one caller. */
    hasEnough({ own }: Ticket<Job>): boolean {
      return own.key !== '' && own.waiting >= bounds.maxWaitingPerCaller;
    },
    /** Whether the ticket waits for other requests of the same caller. */
    isBehindOwn(ticket: Ticket<Job>): boolean {
      const { caller, own } = ticket;
      if (own.key === '') return false;
      const [first] = queues.get(queueOf(ticket)) ?? [];
      return first?.caller !== caller || (own.running > 0 && own.served !== caller);
    },
    wait(ticket: Ticket<Job>): void {
      now++;
      const counted = countOfRequest(ticket, 1) === 0 ? 1 : 0;
      waiting += counted;
      const key = queueOf(ticket);
      const queue = queues.get(key) ?? new Set();
      const isFirst = queue.size === 0;
      queues.set(key, queue.add(ticket));
      changeShares(ticket, (share) => {
        if (share.waiting === 0) share.since = now;
        share.waiting += counted;
        if (isFirst) share.queues++;
      });
    },
    leave,
    begin(ticket: Ticket<Job>): void {
      now++;
      running++;
      changeShares(ticket, (share) => {
        share.running++;
        share.since = now;
        share.served = ticket.caller;
      });
      leave(ticket);
    },
    end(ticket: Ticket<Job>): void {
      now++;
      running--;
      changeShares(ticket, (share) => {
        share.running--;
        share.since = now;
      });
    },
    firsts,
    /** Of `firsts` that are possible the one that is next. */
    next(isPossible: (ticket: Ticket<Job>) => boolean): Ticket<Job> | undefined {
      let chosen: Ticket<Job> | undefined;
      for (const first of firsts()) {
        if (isPossible(first) && (!chosen || isBefore(first, chosen))) chosen = first;
      }
      return chosen;
    },
  };
}

function queueOf({ own, address }: Ticket<unknown>): string {
  return `${own.key} ${address.key}`;
}

function isBefore(one: Ticket<unknown>, other: Ticket<unknown>): boolean {
  const [later, earlier] = timesOf(one);
  const [otherLater, otherEarlier] = timesOf(other);
  // At one address, where all are as late as it, users are served in turn.
  return later < otherLater || (later === otherLater && earlier < otherEarlier);
}

function timesOf({ own, address }: Ticket<unknown>): [later: number, earlier: number] {
  return own.since > address.since ? [own.since, address.since] : [address.since, own.since];
}

const callers = new AsyncLocalStorage<Caller>();
const server: Caller = { name: '', address: '' };

export function runFor(caller: Caller, work: () => void): void {
  callers.run(caller, work);
}

/** What the server, or the command line, does by itself has an empty name and address. */
export function currentCaller(): Caller {
  return callers.getStore() ?? server;
}
