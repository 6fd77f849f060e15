/** Creates JPEGs of any size in milliseconds, because their rows of blocks repeat the same coded bytes. */
import sharp from 'sharp';

const blockSide = 8;
const startOfScan = Buffer.from([0xff, 0xda]);
const scanHeadBytes = 14;
const endMarker = Buffer.from([0xff, 0xd9]);

export interface RepeatedJpegOptions {
  width: number;
  /** Height in pixels, a multiple of 8. */
  height: number;
  colour?: string;
}

/** Creates a baseline JPEG of one color in full resolution, with a restart marker after each row of blocks. */
export async function createRepeatedJpeg({ width, height, colour = '#2a7' }: RepeatedJpegOptions) {
  const create = { width, height: blockSide, channels: 3, background: colour } as const;
  const row = await sharp({ create }).jpeg({ chromaSubsampling: '4:4:4', optimiseCoding: false }).toBuffer();
  const scan = row.indexOf(startOfScan);
  const coded = row.subarray(scan + scanHeadBytes, -endMarker.length);
  const head = Buffer.from(row.subarray(0, scan));
  head.writeUInt16BE(height, head.indexOf(Buffer.from([0xff, 0xc0])) + 5);
  const interval = Buffer.from([0xff, 0xdd, 0, 4, 0, 0]);
  interval.writeUInt16BE(Math.ceil(width / blockSide), 4);
  const rows = Array.from({ length: height / blockSide }, (_, index) =>
    index === 0 ? coded : Buffer.concat([Buffer.from([0xff, 0xd0 + ((index - 1) % 8)]), coded]),
  );
  return Buffer.concat([head, interval, row.subarray(scan, scan + scanHeadBytes), ...rows, endMarker]);
}

/** Marks the frame of a JPEG as progressive, so that readers of its headers expect such a picture. */
export function markProgressive(jpeg: Buffer): Buffer {
  const marked = Buffer.from(jpeg);
  marked[marked.indexOf(Buffer.from([0xff, 0xc0])) + 1] = 0xc2;
  return marked;
}
