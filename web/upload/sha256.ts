/** Computes a file's SHA-256 hash, by which the gallery detects duplicates. */

/** Browsers hash only data in memory, so larger files are hashed in pieces by JavaScript, which is slower. */
const maxBytes = 64 * 1024 * 1024;

let lastDigest: Promise<unknown> = Promise.resolve();

type Content = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Returns the hash in hex. Rejects if the file is unreadable. */
export function hashFile(file: File): Promise<string> {
  return hashContent(file.size, () => file.stream());
}

/** `open` is called when the turn of this content comes, one at a time to limit memory. */
export function hashContent(size: number, open: () => Content): Promise<string> {
  // Browsers offer no digests over plain HTTP.
  const isFast = size <= maxBytes && globalThis.crypto?.subtle;
  const digest = lastDigest.then(async () => formatHash(await (isFast ? hashAtOnce : hashInPieces)(open())));
  lastDigest = digest.catch(() => {});
  return digest;
}

async function hashAtOnce(content: Content): Promise<Uint8Array> {
  const bytes = await (await collectBlob(content)).arrayBuffer();
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

async function hashInPieces(content: Content): Promise<Uint8Array> {
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const hash = sha256.create();
  for await (const piece of readPieces(content)) hash.update(piece);
  return hash.digest();
}

/** Reads a stream to its end. Rejects with the error of the stream, which a `Response` would replace. */
export async function collectBlob(content: Content): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of readPieces(content)) pieces.push(piece);
  return new Blob(pieces);
}

/** Not every browser can iterate over a stream. */
async function* readPieces(content: Content) {
  const reader = content.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

function formatHash(hash: Uint8Array): string {
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
