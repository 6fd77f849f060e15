/** What the bytes of a file or buffer are known by. A file is read once, in pieces: it may be large. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { partBytes } from './client.ts';

export interface Fingerprint {
  size: number;
  /** Hex. */
  sha256: string;
  /** What stores make their ETags of: the MD5, or the MD5 of the MD5s of the parts. */
  etags: string[];
}

const chunkBytes = 256 * 1024;

export async function fingerprintOf(source: Buffer | { path: string }): Promise<Fingerprint> {
  const [sha256, md5, parts] = [createHash('sha256'), createHash('md5'), createPartHash()];
  let size = 0;
  for await (const chunk of chunksOf(source)) {
    size += chunk.length;
    sha256.update(chunk);
    md5.update(chunk);
    parts.update(chunk);
  }
  return { size, sha256: sha256.digest('hex'), etags: [md5.digest('hex'), parts.digest()] };
}

function chunksOf(source: Buffer | { path: string }): AsyncIterable<Buffer> | Buffer[] {
  if (Buffer.isBuffer(source)) return [source];
  return createReadStream(source.path, { highWaterMark: chunkBytes });
}

function createPartHash() {
  const digests: Buffer[] = [];
  let part: Hash | undefined;
  let room = 0;

  function close(): void {
    if (part) digests.push(part.digest());
    part = undefined;
  }

  return {
    update(chunk: Buffer): void {
      for (let rest = chunk; rest.length > 0; ) {
        if (!part) [part, room] = [createHash('md5'), partBytes];
        const piece = rest.subarray(0, room);
        part.update(piece);
        room -= piece.length;
        rest = rest.subarray(piece.length);
        if (room === 0) close();
      }
    },
    digest(): string {
      close();
      return `${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-${digests.length}`;
    },
  };
}
