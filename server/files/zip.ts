/** A ZIP that is made while it is sent: one object open at a time, as fast as the client reads. */
import { once } from 'node:events';
import type { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type ReadStreamOptions, ZipFile } from 'yazl';

export interface ZipFolder {
  /** With `/` between folders. */
  path: string;
  modified: Date;
}

export interface ZipEntry extends ZipFolder {
  bytes: Readable;
  /** How many `bytes` has, where that is known: fewer, or more, end the archive. */
  size?: number | undefined;
}

/**
 * The archive of what `entries` yields, which is asked for the next one when the one before is read. Images do not
 * shrink, so nothing is compressed. Whatever goes wrong destroys the stream: a ZIP that ends well is complete.
 */
export function zipOf(entries: AsyncIterable<ZipEntry | ZipFolder>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  zip.on('error', (error: Error) => output.destroy(error));
  pump(zip, output, entries).catch((error: Error) => output.destroy(error));
  return output;
}

async function pump(
  zip: ZipFile,
  output: PassThrough,
  entries: AsyncIterable<ZipEntry | ZipFolder>,
): Promise<void> {
  for await (const entry of entries) {
    if ('bytes' in entry) await addFile(zip, output, entry);
    else zip.addEmptyDirectory(entry.path, { mtime: packable(entry.modified) });
    if (output.writableNeedDrain) await drained(output);
    if (output.destroyed) return;
  }
  zip.end();
}

async function addFile(
  zip: ZipFile,
  output: PassThrough,
  { path, modified, bytes, size }: ZipEntry,
): Promise<void> {
  // Also when the client has gone already: nobody else closes the descriptor.
  const close = () => bytes.destroy();
  output.once('close', close);
  if (output.destroyed) close();
  // yazl keeps what it is given to the end of the archive: the stream must not be among it.
  const held: { bytes?: Readable } = { bytes };
  try {
    zip.addReadStreamLazy(path, optionsOf(modified, size), giverOf(held));
    await finished(bytes, { writable: false });
  } finally {
    delete held.bytes;
    output.off('close', close);
  }
}

/** By itself, because a function keeps whatever another one of the same scope uses. */
function giverOf(held: { bytes?: Readable }) {
  return (give: (error: unknown, bytes: Readable) => void) => give(null, held.bytes!);
}

function optionsOf(modified: Date, size: number | undefined): Partial<ReadStreamOptions> {
  return { compress: false, mtime: packable(modified), ...(size !== undefined && { size }) };
}

async function drained(output: PassThrough): Promise<void> {
  const left = new AbortController();
  const { signal } = left;
  await Promise.race([once(output, 'drain', { signal }), once(output, 'close', { signal })]).finally(() =>
    left.abort(),
  );
}

/** The format's clock begins in 1980, and yazl fails on times before 1970. */
function packable(date: Date): Date {
  return new Date(Math.max(date.getTime(), Date.UTC(1980, 0, 1)));
}
