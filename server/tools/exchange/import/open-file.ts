/** Opens files of a folder that is not trusted: links, pipes and devices are refused. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { getErrorCode } from '../../../platform/errors/storage.ts';

/** With these flags, opening a link fails and opening a pipe does not block. Windows supports neither flag. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Thrown if a file cannot be imported although the others can. The message is a sentence for the operator. */
export class NotAFile extends Error {
  override readonly name = 'NotAFile';
}

/** Opens a regular file. Throws NotAFile for links, pipes, devices and folders, or an error of the file system. */
export async function openFile(path: string | Buffer): Promise<FileHandle> {
  const handle = await open(path, openFlags).catch((error: unknown) => {
    // Linux and BSD return these error codes for links and pipes.
    throw /^(ELOOP|EMLINK|ENXIO)$/.test(getErrorCode(error) ?? '')
      ? new NotAFile('Not a regular file')
      : error;
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NotAFile('Not a regular file');
}

/** Reads a file of at most `maxBytes`. Returns no bytes for a longer file, or for one that grows while it is read. */
export async function readBytes(path: string | Buffer, maxBytes: number): Promise<Buffer> {
  const handle = await openFile(path);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) return emptyBuffer;
    const bytes = Buffer.allocUnsafe(size + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) return bytes.subarray(0, length);
      length += bytesRead;
    }
    return emptyBuffer;
  } finally {
    await handle.close();
  }
}

const emptyBuffer = Buffer.alloc(0);
