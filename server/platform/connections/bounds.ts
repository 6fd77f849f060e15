/** How long and how much one client may keep a connection waiting. */

/** Connections of the process, and of one address: several households or a club behind one router. */
export const maxConnections = 10_000;
const maxPerAddress = 500;
/** Several workers do not get equal parts of one client's connections. */
const minPerAddress = 100;

/** Of the memory there is; pictures may take three fifths of it. */
const unreadPart = 1 / 8;

export interface ConnectionBounds {
  /** Connections of one address; behind a proxy, its requests under way. */
  maxPerAddress: number;
  /** How often slow clients are looked for. */
  checkMs: number;
  /** A client that reads must take `minReadRate` bytes a second, averaged over so long. */
  readWindowMs: number;
  minReadRate: number;
  /** Of answers that clients have not read yet, all together: in memory until they are. */
  maxUnreadBytes: number;
  /** A client that sends a body must send `minBodyRate` bytes a second, averaged over so long. */
  bodyWindowMs: number;
  minBodyRate: number;
  /** What still arrives of a body after its answer is read for so long, so long without a byte, and so many bytes. */
  unreadMs: number;
  unreadIdleMs: number;
  unreadBytes: number;
}

export function connectionBounds(
  workers: number,
  maxUploadBytes: number,
  memoryBytes: number,
): ConnectionBounds {
  return {
    maxPerAddress: Math.max(minPerAddress, Math.ceil(maxPerAddress / workers)),
    checkMs: 1000,
    readWindowMs: 60_000,
    minReadRate: 4096,
    maxUnreadBytes: Math.ceil((memoryBytes * unreadPart) / workers),
    bodyWindowMs: 30_000,
    minBodyRate: 1024,
    // The first two as nginx has them by default.
    unreadMs: 30_000,
    unreadIdleMs: 5000,
    // A file that is somewhat too large is the most frequent reason.
    unreadBytes: 2 * maxUploadBytes,
  };
}
