/** A photograph to edit. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import sharp from 'sharp';

const corpus = process.env.LIGHTWELL_CORPUS ?? resolve(import.meta.dirname, '../../../shared/corpus');
const photograph = resolve(corpus, 'photos/camera/Canon_500D_mongolels.jpg');

/** A real photograph; without the corpus, colours that are nowhere the same. */
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
