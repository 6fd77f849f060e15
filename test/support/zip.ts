/** Reads a ZIP as a program would that trusts nothing: names, sizes and checksums are looked at. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

export interface Unpacked {
  /** Path → bytes, in the order of the archive; the paths of folders end with a slash. */
  files: Map<string, Buffer>;
  entries: Map<string, Entry>;
}

/** Rejects for whatever is no complete, well-formed ZIP. */
export async function unzip(bytes: Buffer): Promise<Unpacked> {
  const zip = await open(bytes);
  const unpacked: Unpacked = { files: new Map(), entries: new Map() };
  const ended = once(zip, 'end');
  zip.on('entry', async (entry: Entry) => {
    try {
      await unpack(zip, entry, unpacked);
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

async function unpack(zip: ZipFile, entry: Entry, { files, entries }: Unpacked): Promise<void> {
  const { fileName } = entry;
  if (files.has(fileName)) throw new Error(`${fileName} is there twice`);
  const content = await buffer(await openEntry(zip, entry));
  if (crc32(content) !== entry.crc32) throw new Error(`the checksum of ${fileName} is wrong`);
  files.set(fileName, content);
  entries.set(fileName, entry);
}

function open(bytes: Buffer): Promise<ZipFile> {
  const options = { lazyEntries: true, strictFileNames: true, validateEntrySizes: true };
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, options, (error, zip) => (error ? reject(error) : resolve(zip)));
  });
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
}
