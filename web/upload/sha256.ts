/** Computes a file's SHA-256 hash, by which the gallery detects duplicates. */

/** Browsers hash only data in memory, so larger files are sent without a hash. */
const maxBytes = 64 * 1024 * 1024;

let lastDigest: Promise<unknown> = Promise.resolve();

/**
 * Returns the hash in hex, one file at a time to limit memory. Rejects if the file is unreadable. Returns
 * undefined for large files, and over plain HTTP, where browsers offer no digests.
 */
export function hashFile(file: File): Promise<string | undefined> {
  if (file.size > maxBytes || !globalThis.crypto?.subtle) return Promise.resolve(undefined);
  const digest = lastDigest.then(async () => {
    const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
    return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  });
  lastDigest = digest.catch(() => {});
  return digest;
}
