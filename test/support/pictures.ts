/** Creates pictures for tests. */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';

export interface PictureOptions {
  width?: number;
  height?: number;
  colour?: string;
}

/** Creates a JPEG of one color. */
export function createJpeg({
  width = 320,
  height = 200,
  colour = '#4a7',
}: PictureOptions = {}): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();
}

/** Creates an uncompressed PNG of 4 MB, whose copies without metadata are as large. */
export function createNoise(width = 1400, height = 1000): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const;
  return sharp(randomBytes(width * height * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/**
 * Creates a picture with red at the top, blue at the bottom right and green at the bottom left. The eight
 * orientations of the picture all differ.
 */
export async function createLandmarks(width = 300, height = 200): Promise<Buffer> {
  const half = { width: Math.round(width / 2), height: Math.round(height / 2) };
  const createPatch = (background: string, size: { width: number; height: number }) =>
    sharp({ create: { ...size, channels: 3, background } })
      .png()
      .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .composite([
      {
        input: await createPatch('#0000ff', { width, height: half.height }),
        left: 0,
        top: height - half.height,
      },
      { input: await createPatch('#00ff00', half), left: 0, top: height - half.height },
    ])
    .png()
    .toBuffer();
}

/** Creates a JPEG with EXIF data: place, camera and serial number. */
export async function createJpegWithExif(): Promise<Buffer> {
  return sharp(await createJpeg({ width: 640, height: 480 }))
    .withExif({
      IFD0: { Make: 'Canon', Model: 'Canon EOS 500D', Copyright: 'SECRET-COPYRIGHT' },
      IFD2: {
        FNumber: '28/10',
        ExposureTime: '1/125',
        ISOSpeedRatings: '200',
        DateTimeOriginal: '2021:05:06 07:08:09',
        FocalLength: '47/2',
        LensModel: 'EF-S17-55mm f/2.8 IS USM',
        BodySerialNumber: 'SERIAL-12345',
      },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '51/1 30/1 0/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '0/1 7/1 0/1',
      },
    })
    .jpeg()
    .toBuffer();
}

/** Creates an animated GIF. */
export async function createAnimation(frames = 3, width = 60, height = 40): Promise<Buffer> {
  const pages = await Promise.all(
    Array.from({ length: frames }, (_, frame) =>
      sharp({ create: { width, height, channels: 3, background: { r: 40 * frame, g: 200, b: 90 } } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(pages, { join: { animated: true } })
    .gif({ delay: 100 })
    .toBuffer();
}

/** Returns the color of one pixel of an encoded picture, as `[red, green, blue]`. */
export async function readPixel(picture: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return [...data.subarray(at, at + 3)];
}
