/** Draws the icons of the installed web app as PNG files from the SVG icons. Used by build-web.js. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const source = resolve(fileURLToPath(import.meta.url), '../../server/gallery/pages');
/** Width of the SVG in pixels at 72 dpi. */
const drawn = 64;

/**
 * Maskable icons have their own drawing up to the edge, because phones cut them to a circle or another shape.
 */
const icons = [
  { file: 'icon.svg', purpose: 'any', sizes: [192, 512] },
  { file: 'icon-maskable.svg', purpose: 'maskable', sizes: [192, 512] },
  { file: 'icon-maskable.svg', purpose: 'touch', sizes: [180] },
];

/**
 * Writes the icons into the folder. File names contain a content hash, as those of all assets
 * (server/gallery/pages/built-assets.ts).
 * @param {string} folder
 */
export async function buildIcons(folder) {
  for (const { file, purpose, sizes } of icons) {
    const svg = readFileSync(join(source, file));
    for (const size of sizes) {
      const density = (72 * size) / drawn;
      const png = await sharp(svg, { density }).resize(size, size).png({ compressionLevel: 9 }).toBuffer();
      const hash = createHash('sha256').update(png).digest('base64url').slice(0, 8);
      writeFileSync(join(folder, `icon-${purpose}-${size}-${hash}.png`), png);
    }
  }
}
