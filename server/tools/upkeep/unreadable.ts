/** Tells one object that cannot be read from a storage that is out of reach. */
import type { Deps } from '../../deps.ts';

/**
 * Why this object cannot be read where everything else is within reach: a bad sector, or bytes that the store itself
 * knows as wrong. Throws where the storage cannot be used at all.
 */
export async function whyUnreadable({ storage }: Pick<Deps, 'storage'>, error: unknown): Promise<string> {
  await storage.ping();
  const { message, cause } = error as Error;
  return `it cannot be read: ${(cause as Error | undefined)?.message ?? message}`;
}
