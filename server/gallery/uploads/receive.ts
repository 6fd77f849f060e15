/** Takes the bytes of one request: what is acknowledged is in the storage, and its rows in the database. */
import { createHash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import type { UploadRow } from '../../platform/db/tables-uploads.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { removeUnlessCommitted } from '../photos/upload/upload.ts';
import type { Body } from './body.ts';
import type { Checksum } from './checksum.ts';
import { type Collector, createCollector, storePieces } from './pieces.ts';
import { addPieces, takeOver } from './store.ts';

export interface Received {
  /** Where `rest` begins: what came before it is acknowledged. */
  received: number;
  /** Of all bytes that came, those in `rest` included. */
  offset: number;
  /** What is left to acknowledge: the end of the file. It is, once there is a photo. */
  rest: Collector;
}

export interface Receiving {
  body: Body;
  checksum: Checksum | undefined;
  /** Asked before anything is kept: bodies may take minutes. Throws what it does where the sender may no longer. */
  confirm(): Promise<void>;
  /** Told as bytes come. */
  onBytes(): void;
}

/**
 * Throws uploadConflict where another request has taken over, fileTooLarge, checksumMismatch, noSpace or busy. Of a
 * body that was cut off, what came is kept; of one with a checksum, all or nothing. The caller discards `rest`.
 */
export async function receive(
  deps: Deps,
  upload: UploadRow,
  { body, checksum, confirm, onBytes }: Receiving,
): Promise<Received> {
  const writer = await takeOver(deps, upload);
  const collector = createCollector(deps);
  const digest = checksum && createHash(checksum.algorithm);
  let received = upload.received;
  let offset = upload.received;

  async function keep(count?: number): Promise<void> {
    if (collector.files.length === 0) return;
    await confirm();
    const pieces = await storePieces(deps, collector, count);
    try {
      received = await addPieces(deps, { id: upload.id, writer, received }, pieces);
    } catch (error) {
      await removeUnlessCommitted(
        deps,
        pieces.map(({ object }) => object),
        error,
      );
      throw error;
    }
  }

  try {
    for await (const bytes of body.bytes) {
      onBytes();
      offset += bytes.length;
      if (offset > upload.size) throw errors.fileTooLarge({ message: 'More bytes than Upload-Length said' });
      digest?.update(bytes);
      await collector.write(bytes);
      const full = collector.files.length - 1;
      if (!digest && full > 0) await keep(full);
    }
    const isCut = body.isCut && offset < upload.size;
    if (isCut && digest) throw errors.invalid({ message: 'The body was cut off before its checksum' });
    if (digest && !digest.digest().equals(checksum!.value)) throw errors.checksumMismatch();
    if (offset < upload.size) await keep();
    if (isCut) throw errors.uploadConflict({ message: 'The body was cut off' });
    await collector.close();
    return { received, offset, rest: collector };
  } catch (error) {
    await collector.discard();
    throw error;
  }
}
