/**
 * Keeps what was read from the database for as long as nothing at all was committed to it. Never stale: the
 * database is asked for its version at every look, which costs a hundredth of reading again.
 */
import { LRUCache } from 'lru-cache';
import type { OpenedDatabase } from './dialect.ts';

/** Returns what is kept under the key, else reads it, and keeps it if nothing was committed meanwhile. */
export type ReadThrough<Value extends object> = (
  key: string,
  read: () => Promise<Value>,
) => Value | Promise<Value>;

export interface CacheBounds<Value> {
  /** The sum of the sizes of all values. */
  maxSize: number;
  sizeOf(value: Value): number;
}

/** Where the database has no version, nothing is kept and everything is read. */
export function createVersionCache<Value extends object>(
  db: OpenedDatabase,
  { maxSize, sizeOf }: CacheBounds<Value>,
): ReadThrough<Value> {
  const values = new LRUCache<string, Value>({ maxSize, sizeCalculation: sizeOf });
  let version: number | undefined;

  /** Forgets everything when something was committed since the last look. */
  function look(): number | undefined {
    const now = db.version();
    if (now !== version) values.clear();
    version = now;
    return now;
  }

  async function readAndKeep(key: string, read: () => Promise<Value>, before: number): Promise<Value> {
    const value = await read();
    // The same version before and after: every statement of `read` saw the same database.
    if (look() === before) values.set(key, value);
    return value;
  }

  return (key, read) => {
    const now = look();
    if (now === undefined) return read();
    return values.get(key) ?? readAndKeep(key, read, now);
  };
}
