/** SHA-256 of a file, by which the gallery knows what it has already. */

/** A browser digests only what is in its memory as a whole: larger files are sent without. */
const maxBytes = 64 * 1024 * 1024;

let lastDigest: Promise<unknown> = Promise.resolve();

/**
 * Hex. One file after the other, so that one at most is in memory. Undefined for large files, and where the browser has
 * no digests (plain http). Rejects where the file cannot be read.
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
