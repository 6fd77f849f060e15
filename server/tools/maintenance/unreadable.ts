/** Distinguishes a single unreadable object from an unreachable storage. */
import type { Deps } from '../../deps.ts';

/**
 * Returns why an object cannot be read although the storage works, for example a bad sector. Throws an error if the
 * storage is unreachable.
 */
export async function describeUnreadableObject(
  { storage }: Pick<Deps, 'storage'>,
  error: unknown,
): Promise<string> {
  await storage.ping();
  const { message, cause } = error as Error;
  return `the file cannot be read: ${(cause as Error | undefined)?.message ?? message}`;
}
