/** Reads a ZIP with full checks of names, sizes and checksums. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

export interface UnzippedFiles {
  /** Bytes by path, in the order of the archive. Paths of folders end with a slash. */
  files: Map<string, Buffer>;
  entries: Map<string, Entry>;
}

/** Unpacks a ZIP. Rejects if the ZIP is incomplete or malformed. */
export async function unzip(bytes: Buffer): Promise<UnzippedFiles> {
  const zip = await openZip(bytes);
  const unpacked: UnzippedFiles = { files: new Map(), entries: new Map() };
  const ended = once(zip, 'end');
  zip.on('entry', async (entry: Entry) => {
    try {
      await unpackEntry(zip, entry, unpacked);
      zip.readEntry();
    } catch (error) {
      zip.emit('error', error);
    }
  });
  zip.readEntry();
  await ended;
  if (unpacked.files.size !== zip.entryCount) throw new Error('entries are missing');
  return unpacked;
}

async function unpackEntry(zip: ZipFile, entry: Entry, { files, entries }: UnzippedFiles): Promise<void> {
  const { fileName } = entry;
  if (files.has(fileName)) throw new Error(`${fileName} is there twice`);
  const content = await buffer(await openZipEntry(zip, entry));
  if (crc32(content) !== entry.crc32) throw new Error(`the checksum of ${fileName} is wrong`);
  files.set(fileName, content);
  entries.set(fileName, entry);
}

function openZip(bytes: Buffer): Promise<ZipFile> {
  const options = { lazyEntries: true, strictFileNames: true, validateEntrySizes: true };
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, options, (error, zip) => (error ? reject(error) : resolve(zip)));
  });
}

function openZipEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
}
