/** Limits on time, bytes and connections that a client may hold. */

/** Maximum connections of the process, and of one IP address. Several households or a club may share an IP address. */
export const maxConnections = 10_000;
const maxPerAddress = 500;
/**
 * Connections of the process below which no address is refused. The back end of a site may open one connection for each
 * request of two hundred visitors, and an idle machine can serve them. The other three quarters stay for other
 * addresses.
 */
const crowdedAt = maxConnections / 4;
/** Lower limit per worker, because one client's connections are not spread evenly over the workers. */
const minPerAddress = 100;

/** Fraction of the memory for unread responses. Pictures may take another three fifths. */
const unreadPart = 1 / 8;

export interface ConnectionBounds {
  /**
   * Maximum connections of one IP address, and maximum running requests of one IP address behind a proxy, while all
   * addresses together have more than `crowdedAt`.
   */
  maxPerAddress: number;
  crowdedAt: number;
  /** Milliseconds between two checks for slow clients. */
  checkMs: number;
  /**
   * Milliseconds over which the reading speed of a client is averaged. A client must read at least `minReadRate` bytes
   * per second.
   */
  readWindowMs: number;
  minReadRate: number;
  /** Maximum bytes of responses that clients have not read yet and that are held in memory, over all connections. */
  maxUnreadBytes: number;
  /**
   * Milliseconds over which the speed of a request body is averaged. A client must send at least `minBodyRate` bytes
   * per second.
   */
  bodyWindowMs: number;
  minBodyRate: number;
  /**
   * Limits for reading the rest of a request body after the response: total milliseconds, milliseconds without a byte,
   * and bytes.
   */
  unreadMs: number;
  unreadIdleMs: number;
  unreadBytes: number;
}

export function computeConnectionBounds(
  workers: number,
  maxUploadBytes: number,
  memoryBytes: number,
): ConnectionBounds {
  return {
    maxPerAddress: Math.max(minPerAddress, Math.ceil(maxPerAddress / workers)),
    crowdedAt: Math.ceil(crowdedAt / workers),
    checkMs: 1000,
    readWindowMs: 60_000,
    minReadRate: 4096,
    maxUnreadBytes: Math.ceil((memoryBytes * unreadPart) / workers),
    bodyWindowMs: 30_000,
    minBodyRate: 1024,
    // `unreadMs` and `unreadIdleMs` are the defaults of nginx.
    unreadMs: 30_000,
    unreadIdleMs: 5000,
    // The most frequent reason for an early response is a file that is slightly too large.
    unreadBytes: 2 * maxUploadBytes,
  };
}
