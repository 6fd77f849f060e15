/**
 * Order in which waiting jobs run: round robin by IP address and by user. The job whose IP address and user were served
 * longest ago comes first; the more recent of the two times decides. Many jobs, many accounts at one IP address, or
 * many IP addresses of one account therefore gain no advantage.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Identity for which running and waiting jobs are counted. */
export interface Caller {
  /** User key, or IP address key for an anonymous client. See `platform/connections/address.ts`. */
  name: string;
  /** IP address of the client, which many users may share. Empty for the server's own work. */
  address: string;
  /** Marks a caller object that stands for one request. All waiting jobs of that object count as one. */
  isRequest?: true;
}

/** Counts of running and waiting jobs of one user or one IP address. */
interface Share {
  key: string;
  running: number;
  /** Number of waiting jobs. All waiting jobs of one request count as one job (see `Caller.isRequest`). */
  waiting: number;
  /** Number of users at this IP address with waiting jobs. */
  queues: number;
  /**
   * Logical time of the last change: when the wait began, or when the latest job of this user or IP address began or
   * ended.
   */
  since: number;
  /** Caller of the job that began last in this share. */
  served?: Caller;
}

export interface QueueTicket<Job> {
  readonly job: Job;
  readonly caller: Caller;
  /** Running and waiting jobs of the user who added this job, or of the anonymous client. */
  readonly own: Readonly<Share>;
  /** Running and waiting jobs of all users at the same IP address. */
  readonly address: Readonly<Share>;
}

export interface QueueWaitingBounds {
  /**
   * Maximum waiting requests of all callers. Callers without a waiting job may use twice as many;
   * `maxWaitingPerAddress` doubles likewise.
   */
  maxWaiting: number;
  maxWaitingPerAddress: number;
  maxWaitingPerCaller: number;
}

export function createFairQueueOrder<Job>(bounds: QueueWaitingBounds) {
  const shares = new Map<string, Share>();
  /** Waiting jobs, as tickets, by user and IP address. */
  const queues = new Map<string, Set<QueueTicket<Job>>>();
  /** Number of waiting jobs by request. */
  const waitingByRequest = new Map<Caller, number>();
  let now = 0;
  let running = 0;
  let waiting = 0;

  function getShare(key: string): Share {
    return shares.get(key) ?? { key, running: 0, waiting: 0, queues: 0, since: 0 };
  }

  function changeShares({ own, address }: QueueTicket<Job>, change: (share: Share) => void): void {
    for (const share of [own, address]) {
      change(share);
      if (share.running > 0 || share.waiting > 0) shares.set(share.key, share);
      else shares.delete(share.key);
    }
  }

  /** Removes a ticket from its queue. Does nothing if the ticket is not waiting. */
  function remove(ticket: QueueTicket<Job>): void {
    const key = queueKey(ticket);
    const queue = queues.get(key);
    if (!queue?.delete(ticket)) return;
    const isLast = queue.size === 0;
    if (isLast) queues.delete(key);
    const counted = countRequestJobs(ticket, -1) === 0 ? 1 : 0;
    waiting -= counted;
    changeShares(ticket, (share) => {
      share.waiting -= counted;
      if (isLast) share.queues--;
    });
  }

  /** Counts a job of a request in or out. Returns how many other jobs of the same request wait. */
  function countRequestJobs({ caller }: QueueTicket<Job>, change: 1 | -1): number {
    if (!caller.isRequest) return 0;
    const before = waitingByRequest.get(caller) ?? 0;
    const after = before + change;
    if (after > 0) waitingByRequest.set(caller, after);
    else waitingByRequest.delete(caller);
    return Math.min(before, after);
  }

  /** Yields the first waiting ticket of each user at each IP address, in no particular order. */
  function* firsts(): Generator<QueueTicket<Job>> {
    for (const [first] of queues.values()) yield first!;
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
    /** Creates a ticket for a job that begins or waits immediately. A ticket must not be stored for later. */
    ticket: (caller: Caller, job: Job): QueueTicket<Job> => ({
      job,
      caller,
      own: getShare(caller.name),
      // The prefix separates the counts of an anonymous caller from the counts of the whole IP address.
      address: getShare(`at ${caller.address}`),
    }),
    hasRoom({ caller, own, address }: QueueTicket<Job>): boolean {
      if (waitingByRequest.has(caller)) return true;
      if (own.key === '') return waiting < bounds.maxWaiting;
      const times = own.waiting === 0 ? 2 : 1;
      return (
        own.waiting < bounds.maxWaitingPerCaller &&
        address.waiting < times * bounds.maxWaitingPerAddress &&
        waiting < times * bounds.maxWaiting
      );
    },
    /** Whether the caller has reached `maxWaitingPerCaller`. */
    hasEnough({ own }: QueueTicket<Job>): boolean {
      return own.key !== '' && own.waiting >= bounds.maxWaitingPerCaller;
    },
    /** Whether the ticket waits for other requests of the same caller. */
    isBehindOwn(ticket: QueueTicket<Job>): boolean {
      const { caller, own } = ticket;
      if (own.key === '') return false;
      const [first] = queues.get(queueKey(ticket)) ?? [];
      return first?.caller !== caller || (own.running > 0 && own.served !== caller);
    },
    wait(ticket: QueueTicket<Job>): void {
      now++;
      const counted = countRequestJobs(ticket, 1) === 0 ? 1 : 0;
      waiting += counted;
      const key = queueKey(ticket);
      const queue = queues.get(key) ?? new Set();
      const isFirst = queue.size === 0;
      queues.set(key, queue.add(ticket));
      changeShares(ticket, (share) => {
        if (share.waiting === 0) share.since = now;
        share.waiting += counted;
        if (isFirst) share.queues++;
      });
    },
    remove,
    begin(ticket: QueueTicket<Job>): void {
      now++;
      running++;
      changeShares(ticket, (share) => {
        share.running++;
        share.since = now;
        share.served = ticket.caller;
      });
      remove(ticket);
    },
    end(ticket: QueueTicket<Job>): void {
      now++;
      running--;
      changeShares(ticket, (share) => {
        share.running--;
        share.since = now;
      });
    },
    firsts,
    /** Returns the next ticket among the `firsts` for which `isPossible` holds. */
    next(isPossible: (ticket: QueueTicket<Job>) => boolean): QueueTicket<Job> | undefined {
      let chosen: QueueTicket<Job> | undefined;
      for (const first of firsts()) {
        if (isPossible(first) && (!chosen || isBefore(first, chosen))) chosen = first;
      }
      return chosen;
    },
  };
}

function queueKey({ own, address }: QueueTicket<unknown>): string {
  return `${own.key} ${address.key}`;
}

function isBefore(one: QueueTicket<unknown>, other: QueueTicket<unknown>): boolean {
  const [later, earlier] = lastServedTimes(one);
  const [otherLater, otherEarlier] = lastServedTimes(other);
  // Tickets of one IP address share the IP address's time, so the time of the user decides between them.
  return later < otherLater || (later === otherLater && earlier < otherEarlier);
}

function lastServedTimes({ own, address }: QueueTicket<unknown>): [later: number, earlier: number] {
  return own.since > address.since ? [own.since, address.since] : [address.since, own.since];
}

const callers = new AsyncLocalStorage<Caller>();
const serverCaller: Caller = { name: '', address: '' };

export function runForCaller(caller: Caller, work: () => void): void {
  callers.run(caller, work);
}

/**
 * Returns the caller of the current asynchronous context. Work of the server or the command line has an empty name and
 * IP address.
 */
export function currentCaller(): Caller {
  return callers.getStore() ?? serverCaller;
}
