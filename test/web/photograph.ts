/** Photographs for tests that edit and upload. */
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';

const corpus = process.env.LIGHTWELL_CORPUS ?? resolve(import.meta.dirname, '../../../shared/corpus');
const photograph = resolve(corpus, 'photos/camera/Canon_500D_mongolels.jpg');

/** Returns a real photograph, or without the corpus a picture with different colors everywhere. */
export async function picture(): Promise<Buffer> {
  if (existsSync(photograph)) return readFileSync(photograph);
  const [width, height] = [950, 634];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      pixels[at] = (x * 255) / width;
      pixels[at + 1] = (y * 255) / height;
      pixels[at + 2] = 128 + 100 * Math.sin((x + 2 * y) / 60);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** The camera that one of the ten photographs names. */
export const camera = 'Canon EOS 500D';

/**
 * Puts ten photographs into a new folder, and returns their paths. Created pictures replace missing
 * photographs of the corpus.
 */
export async function tenPhotos(folder: string): Promise<string[]> {
  await mkdir(folder);
  const real = join(corpus, 'photos/camera');
  const names = (await readdir(real).catch(() => [])).filter((name) => name.endsWith('.jpg'));
  const paths = names.map((name) => join(folder, name));
  for (const name of names) await copyFile(join(real, name), join(folder, name));
  for (let n = paths.length; n < 10; n++) {
    const noise = { type: 'gaussian' as const, mean: 120, sigma: 20 + n };
    const path = join(folder, `made-${n}.jpg`);
    const made = sharp({ create: { width: 900, height: 600, channels: 3, background: '#888', noise } });
    const taken = { IFD2: { DateTimeOriginal: `20${10 + n}:06:01 12:00:00` } };
    const isOfCamera = n === 0;
    await made
      .withExif({ ...taken, ...(isOfCamera && { IFD0: { Make: 'Canon', Model: camera } }) })
      .jpeg()
      .toFile(path);
    paths.push(path);
  }
  return paths.sort();
}
