/** Writes the archive to a stream: a tar with checksums of its entries. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import { createChecksumMeter } from '../../../platform/storage/checksum.ts';
import {
  type BackupManifest,
  backupArchivePaths,
  buildChecksumsPath,
  checksumLine,
  entriesPerChecksumList,
} from './format.ts';
import { yieldSingleChunk } from './objects.ts';

export type BackupWriter = ReturnType<typeof createBackupWriter>;

export function createBackupWriter(out: Writable) {
  const tar = pack();
  let failure: unknown;
  const written = pipeline(readPackedBytes(tar), out).catch((error: unknown) => {
    failure = error;
    // The current entry must fail, because it would otherwise wait for free space forever.
    (tar as unknown as { destroy(error: unknown): void }).destroy(error);
  });
  const all = createHash('sha256');
  let list = '';
  let listed = 0;
  let lists = 0;
  let entries = 0;

  async function write(path: string, size: number, bytes: AsyncIterable<Buffer>): Promise<string> {
    const meter = createChecksumMeter();
    const { promise: isWritten, resolve, reject } = Promise.withResolvers<void>();
    const entry = tar.entry({ name: path, size, mode: 0o600 }, (error) =>
      error ? reject(error) : resolve(),
    );
    entry.on('error', reject);
    isWritten.catch(() => {});
    try {
      for await (const chunk of meter.through(bytes)) {
        if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), isWritten]);
      }
      entry.end(null);
      await isWritten;
    } catch (error) {
      throw failure ?? error;
    }
    return meter.sum().sha256;
  }

  async function endList(): Promise<void> {
    if (listed === 0) return;
    const text = list;
    list = '';
    listed = 0;
    all.update(text);
    await write(buildChecksumsPath(++lists), Buffer.byteLength(text), yieldSingleChunk(Buffer.from(text)));
  }

  /** Adds an entry and returns its SHA-256 in hex. Throws an error if the bytes are not `size`, or if writing fails. */
  async function add(path: string, size: number, bytes: AsyncIterable<Buffer>): Promise<string> {
    const sha256 = await write(path, size, bytes);
    list += checksumLine(sha256, path);
    entries++;
    if (++listed === entriesPerChecksumList) await endList();
    return sha256;
  }

  return {
    add,
    addBuffer: (path: string, bytes: Buffer) => add(path, bytes.length, yieldSingleChunk(bytes)),
    /** Adds the manifest. The promise resolves when the stream has accepted all bytes. */
    async finish(rest: Omit<BackupManifest, 'entries' | 'checksums'>): Promise<void> {
      await endList();
      const manifest: BackupManifest = { entries, checksums: all.digest('hex'), ...rest };
      const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
      const sha256 = await write(backupArchivePaths.manifest, text.length, yieldSingleChunk(text));
      const seal = Buffer.from(checksumLine(sha256, backupArchivePaths.manifest));
      await write(backupArchivePaths.seal, seal.length, yieldSingleChunk(seal));
      tar.finalize();
      await written;
      if (failure) throw failure;
    },
    /** Aborts writing. The promise resolves when the stream is closed. */
    async abort(): Promise<void> {
      out.destroy(new Error('writing the archive was aborted'));
      await written;
    },
  };
}

/** Converts the library's stream to an iterator, because it is not a Node stream. */
async function* readPackedBytes(tar: Pack): AsyncGenerator<Buffer> {
  yield* tar as AsyncIterable<Buffer>;
}
