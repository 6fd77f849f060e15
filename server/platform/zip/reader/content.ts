/** Unpacks one file of an archive, and checks its size and checksum. */
import { computeCrc32 } from './crc32.ts';
import type { ZipEntry } from './directory.ts';
import { BadZipEntry, viewBytes, type ZipSource } from './source.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const headerBytes = 30;
const headerSignature = 0x0403_4b50;
const [stored, deflated] = [0, 8];
const blockBytes = 256 * 1024;
/** Bytes that are unpacked at once. DEFLATE makes at most a thousand times as many of them. */
const pieceBytes = 16 * 1024;

/** `end` is the offset behind the last file of the archive. */
export function openContent(source: ZipSource, entry: ZipEntry, end: number): ReadableStream<Bytes> {
  const failure: { cause?: unknown } = {};
  let reader: ReadableStreamDefaultReader<Bytes> | undefined;
  let [size, crc] = [0, 0];
  return new ReadableStream<Bytes>({
    async pull(controller) {
      reader ??= (await openUnpacked(source, entry, end, failure)).getReader();
      const { value, done } = await reader.read().catch((error: unknown) => {
        if (failure.cause !== undefined) throw failure.cause;
        throw refuse(error instanceof Error ? error.message : 'its bytes are damaged', error);
      });
      if (value) {
        size += value.length;
        crc = computeCrc32(value, crc);
      }
      if (size > entry.size) await refuseRest(reader, 'too many bytes');
      if (value) controller.enqueue(value);
      if (!done) return;
      if (size < entry.size) throw refuse('not enough bytes');
      if (crc !== entry.crc) throw refuse('its checksum is wrong');
      controller.close();
    },
    cancel: (reason) => reader?.cancel(reason),
  });
}

async function refuseRest(reader: ReadableStreamDefaultReader<Bytes>, why: string): Promise<never> {
  await reader.cancel().catch(() => {});
  throw refuse(why);
}

function refuse(why: string, cause?: unknown): BadZipEntry {
  return new BadZipEntry(`The file cannot be unpacked (${why})`, { cause });
}

async function openUnpacked(
  source: ZipSource,
  entry: ZipEntry,
  end: number,
  failure: { cause?: unknown },
): Promise<ReadableStream<Bytes>> {
  if (entry.isEncrypted) throw new BadZipEntry('The file is encrypted');
  if (entry.method !== stored && entry.method !== deflated) {
    throw refuse(`compression method ${entry.method} is not supported`);
  }
  const start = await findContent(source, entry, end);
  const packed = streamRange(source, start, start + entry.packedSize, failure);
  return entry.method === stored ? packed : packed.pipeThrough(new DecompressionStream('deflate-raw'));
}

/** The header before the file's bytes repeats its name, and its length differs from the list's. */
async function findContent(
  source: ZipSource,
  { offset, packedSize }: ZipEntry,
  end: number,
): Promise<number> {
  if (offset + headerBytes > end) throw refuse('its place is outside of the archive');
  const header = viewBytes(await source.read(offset, headerBytes));
  if (header.getUint32(0, true) !== headerSignature) throw refuse('it is not at its place in the archive');
  const start = offset + headerBytes + header.getUint16(26, true) + header.getUint16(28, true);
  if (start + packedSize > end) throw refuse('its place is outside of the archive');
  return start;
}

/** An error of the source is stored in `failure`, because unpacking replaces it by an error of its own. */
function streamRange(
  source: ZipSource,
  start: number,
  end: number,
  failure: { cause?: unknown },
): ReadableStream<Bytes> {
  let next = start;
  let block: Bytes = new Uint8Array();
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        if (block.length === 0 && next < end) {
          block = await source.read(next, Math.min(blockBytes, end - next)).catch((error: unknown) => {
            failure.cause = error;
            throw error;
          });
          next += block.length;
        }
        if (block.length === 0) {
          controller.close();
          return;
        }
        controller.enqueue(block.slice(0, pieceBytes));
        block = block.subarray(pieceBytes);
      },
    },
    { highWaterMark: 0 },
  );
}
