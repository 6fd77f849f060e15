/** Compares a picture's colors with those of its edit steps, applied by plain sharp. */
import sharp, { type Sharp } from 'sharp';
import type { Step } from './ledger.ts';

/**
 * Cells per side of the compared grid. A picture's quarters differ in color (`makePictures`), so each cell
 * shows a flip.
 */
const side = 8;
/** Maximum average difference of 255. Lossy formats stay below 4; a flip of the whole picture is above 50. */
const tolerance = 12;
/** The PNG is read again at once, and compression would take longer than all other work. */
const uncompressed = { compressionLevel: 0 };

/** Returns the difference of two pictures if it exceeds the tolerance, or undefined. */
export async function difference(shown: Buffer, expected: Buffer): Promise<string | undefined> {
  const [one, other] = await Promise.all([averageCells(shown), averageCells(expected)]);
  const sum = one.reduce((sum, value, index) => sum + Math.abs(value - other[index]!), 0);
  const mean = sum / one.length;
  return mean > tolerance ? `differs by ${mean.toFixed(0)} of 255` : undefined;
}

/** Returns a file after its edit steps as a PNG. */
export async function afterSteps(file: Buffer, steps: Step[]): Promise<Buffer> {
  let picture = await sharp(file).png(uncompressed).toBuffer();
  // Steps are applied one by one, because sharp has its own order for operations in one pipeline.
  for (const step of steps) {
    picture = await apply(sharp(picture), step).png(uncompressed).toBuffer();
  }
  return picture;
}

function apply(image: Sharp, { action, params }: Step): Sharp {
  if (action === 'rotate') return image.rotate(Number(params.angle));
  if (action === 'flip') return params.direction === 'h' ? image.flop() : image.flip();
  if (action === 'resize') return image.resize({ width: Number(params.width) });
  if (action === 'filter') return image.negate({ alpha: false });
  const [left, top, width, height] = [params.x, params.y, params.width, params.height].map(Number);
  return image.extract({ left: left!, top: top!, width: width!, height: height! });
}

async function averageCells(picture: Buffer): Promise<Buffer> {
  const image = sharp(picture).toColourspace('srgb').removeAlpha();
  return image.resize({ width: side, height: side, fit: 'fill' }).raw().toBuffer();
}
