import { type FileHandle, open } from 'node:fs/promises';

const windowBytes = 256 * 1024;

/** Bytes that are read at a place far from the last one: a hostile file leads to thousands of them. */
const farBytes = 16 * 1024;

/** A file read through one small window, so that its structure can be walked without its bytes being held. */
export interface ByteWindow {
  size: number;
  /** The bytes from `position` to the window's end: at least `least` of them, fewer only where the file ends. */
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
