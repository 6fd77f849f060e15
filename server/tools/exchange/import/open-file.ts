/** Opens what an import reads: regular files only, whatever took their place since the folder was listed. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { codeOf } from '../../../platform/errors/storage.ts';

/** Opening a link fails, and opening a pipe does not wait for a writer. Windows has neither flag. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export class NotAFile extends Error {
  override readonly name = 'NotAFile';
}

/** Throws NotAFile for links, pipes, devices and folders, and what the file system says. */
export async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, flags).catch((error: unknown) => {
    // What Linux and BSD say of a link.
    throw /^(ELOOP|EMLINK|ENXIO)$/.test(codeOf(error) ?? '')
      ? new NotAFile('It is not a regular file')
      : error;
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NotAFile('It is not a regular file');
}

/** The text of a file of at most so many bytes; '' for a longer one, and for one that is longer than it claims. */
export async function readText(path: string, maxBytes: number): Promise<string> {
  const handle = await openFile(path);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) return '';
    const bytes = Buffer.allocUnsafe(size + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) return bytes.toString('utf8', 0, length);
      length += bytesRead;
    }
    return '';
  } finally {
    await handle.close();
  }
}
