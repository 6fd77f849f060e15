/** The icons of the gallery as an app of its own: PNG, drawn from the SVG that its pages show. For build-web.js. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const source = resolve(fileURLToPath(import.meta.url), '../../server/gallery/pages');
/** Pixels of the drawing itself, at 72 a inch. */
const drawn = 64;

/** Those that are cut to a circle, or whatever else a telephone likes, have their own: drawn to the edge. */
const icons = [
  { file: 'icon.svg', purpose: 'any', sizes: [192, 512] },
  { file: 'icon-maskable.svg', purpose: 'maskable', sizes: [192, 512] },
  { file: 'icon-maskable.svg', purpose: 'touch', sizes: [180] },
];

/**
 * Their names hold a hash of their content, as those of all assets (server/gallery/pages/built.ts reads them).
 *
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
