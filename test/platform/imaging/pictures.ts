import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { crc32 } from 'node:zlib';
import { ordinaryJobBytes } from '../../../server/platform/imaging/bounds.ts';
import type { EditStep } from '../../../server/platform/imaging/edits/actions.ts';
import { ImageError } from '../../../server/platform/imaging/errors.ts';
import { imageFormats } from '../../../server/platform/imaging/formats.ts';
import {
  createImaging,
  type EditJobOptions,
  type Imaging,
  type ImagingOptions,
  type PictureInspection,
} from '../../../server/platform/imaging/imaging.ts';
import { createWorkerPool } from '../../../server/platform/imaging/pool/pool.ts';
import {
  createImagingQueue,
  type ImagingQueueOptions,
} from '../../../server/platform/imaging/queue/queue.ts';
import { readPictureStructure } from '../../../server/platform/imaging/structure/read.ts';
import { toWorkerFailure } from '../../../server/platform/imaging/worker/failures.ts';
import { readPictureHeaders } from '../../../server/platform/imaging/worker/inspect.ts';
import { sharp } from '../../../server/platform/imaging/worker/sharp.ts';
import { temporaryName } from '../../../server/platform/storage/temporary.ts';

export type Rgba = [number, number, number, number];

export const red: Rgba = [220, 30, 30, 255];
export const green: Rgba = [30, 200, 30, 255];
export const blue: Rgba = [30, 30, 220, 255];
export const yellow: Rgba = [220, 200, 30, 255];

/** Returns a function that writes files. The files are deleted after the tests of the calling file. */
export function createFolder(): (name: string, data: Buffer) => string {
  const folder = mkdtempSync(path.join(tmpdir(), 'imaging-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return (name, data) => {
    const file = path.join(folder, name);
    writeFileSync(file, data);
    return file;
  };
}

const rgba16 = '\x10\x06';
export const rgb8 = '\x08\x02';

/** Creates a PNG with the given size and bit depth that ends after its header. */
export function pngHeader(width: number, height: number, interlace: 0 | 1, depth = rgba16): Buffer {
  const ihdr = Buffer.from(`IHDR${'\0'.repeat(8)}${depth}\0\0${String.fromCharCode(interlace)}`, 'latin1');
  ihdr.writeUInt32BE(width, 4);
  ihdr.writeUInt32BE(height, 8);
  const idat = Buffer.from('IDAT');
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk(ihdr),
    chunk(idat),
    chunk(Buffer.from('IEND')),
  ]);
}

function chunk(typeAndData: Buffer): Buffer {
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(typeAndData.length - 4);
  crc.writeUInt32BE(crc32(typeAndData));
  return Buffer.concat([length, typeAndData, crc]);
}

/**
 * Creates an image with red and green above blue and yellow, so that its corners show whether it was turned
 * or mirrored.
 */
export function createQuarters(width: number, height: number, colours = [red, green, blue, yellow]) {
  const [left, above] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const line = (one: Rgba, other: Rgba) =>
    Buffer.concat([
      Buffer.alloc(left * 4, Buffer.from(one)),
      Buffer.alloc((width - left) * 4, Buffer.from(other)),
    ]);
  const data = Buffer.concat([
    Buffer.alloc(above * width * 4, line(colours[0]!, colours[1]!)),
    Buffer.alloc((height - above) * width * 4, line(colours[2]!, colours[3]!)),
  ]);
  return sharp(data, { raw: { width, height, channels: 4 } });
}

/**
 * Creates an animation in which each frame has the quarter colors of the frame before, moved by one position.
 */
export async function createAnimation(
  format: 'gif' | 'webp',
  width: number,
  height: number,
  frames: number,
): Promise<Buffer> {
  const colours = [red, green, blue, yellow];
  const rolls: Buffer[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const turned = colours.map((_, index) => colours[(index + frame) % 4]!);
    rolls.push(await createQuarters(width, height, turned).raw().toBuffer());
  }
  const delay = Array.from({ length: frames }, (_, frame) => 100 + 20 * frame);
  const raw = { width, height: height * frames, channels: 4 as const, pageHeight: height };
  const image = sharp(Buffer.concat(rolls), { raw });
  return await (format === 'gif'
    ? image.gif({ delay, loop: 2, effort: 1 })
    : image.webp({ delay, loop: 2, lossless: true })
  ).toBuffer();
}

/** Returns the pixel at a point given as fractions of the sides, in the first or a later frame. */
export async function pixelAt(data: Buffer, x: number, y: number, page = 0): Promise<Rgba> {
  const { data: pixels, info } = await sharp(data, { page })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 4;
  return [...pixels.subarray(at, at + 4)] as Rgba;
}

/** Returns the colors in the middle of the four quarters, row by row. */
export async function readQuarters(data: Buffer, page = 0): Promise<Rgba[]> {
  const places = [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    [0.75, 0.75],
  ] as const;
  return await Promise.all(places.map(([x, y]) => pixelAt(data, x, y, page)));
}

export function isNear(actual: Rgba, expected: Rgba, tolerance = 14): boolean {
  return actual.every((value, index) => Math.abs(value - expected[index]!) <= tolerance);
}

/** Reads structure and headers in this process instead of a worker. Throws ImageError. */
export async function inspect(file: string): Promise<PictureInspection> {
  const { format, width, height, frames } = await readPictureStructure(file);
  try {
    const { inspected } = await readPictureHeaders(file, { format, pixels: width * height, frames });
    return { format, ...imageFormats[format], ...inspected };
  } catch (error) {
    const failure = toWorkerFailure(error);
    if ('refused' in failure) throw new ImageError(failure.refused, failure.message, { cause: error });
    throw error;
  }
}

/** Starts imaging for one test file, with its own worker processes like a server. */
export function startImaging(
  bounds: Partial<ImagingQueueOptions> = {},
  options: Pick<ImagingOptions, 'seconds' | 'onEnded'> = {},
): Imaging {
  const folder = mkdtempSync(path.join(tmpdir(), 'workers-'));
  const imaging = createImaging({
    queue: createImagingQueue({ concurrency: 2, maxWaiting: 100, ...bounds }),
    pool: createWorkerPool({ folder, newName: temporaryName, maxIdle: 2, ordinaryBytes: ordinaryJobBytes }),
    ...options,
  });
  after(async () => {
    await imaging.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return imaging;
}

/** Runs an edit like the service does, and reads the resulting image from its file. */
export async function edit(
  imaging: Imaging,
  file: string,
  steps: EditStep[],
  options: Partial<EditJobOptions> = {},
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'edit-'));
  let files = 0;
  const newFile = async () => {
    const file = path.join(folder, String(files++));
    writeFileSync(file, '');
    return { path: file, discard: async () => rmSync(file, { force: true }) };
  };
  try {
    const { autoOrient: upright } = await sharp(file).metadata();
    const edited = await imaging.edit(file, steps, { upright, newFile, ...options });
    const { file: result, size, ...image } = edited.image;
    const data = readFileSync(result.path);
    assert.equal(size, data.length);
    return { ...edited, image: { ...image, data } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
