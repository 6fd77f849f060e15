import { type FileHandle, open } from 'node:fs/promises';

const windowBytes = 256 * 1024;

/** Bytes read at a position far from the previous one. A hostile file can cause thousands of such reads. */
const farBytes = 16 * 1024;

/** Reads a file through one small buffer, so that its structure can be parsed without holding all bytes. */
export interface ByteWindow {
  size: number;
  /** Returns bytes from `position` on: at least `least` bytes, or fewer only at the file's end. */
  from(position: number, least: number): Promise<Buffer>;
}

export async function withByteWindow<T>(file: string, read: (bytes: ByteWindow) => Promise<T>): Promise<T> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    return await read(createWindow(handle, size));
  } finally {
    await handle.close();
  }
}

function createWindow(handle: FileHandle, size: number): ByteWindow {
  const buffer = Buffer.allocUnsafe(Math.min(windowBytes, size));
  let start = 0;
  let end = 0;
  return {
    size,
    async from(position, least) {
      const isLoaded = position >= start && position + least <= end;
      if (!isLoaded && !(end === size && position >= start)) {
        const isNear = position >= start && position < end + windowBytes;
        const length = isNear ? buffer.length : Math.min(Math.max(least, farBytes), buffer.length);
        const { bytesRead } = await handle.read(buffer, 0, length, position);
        start = position;
        end = position + bytesRead;
      }
      return buffer.subarray(Math.min(position - start, end - start), end - start);
    },
  };
}
