/** Whether a picture shows what its steps make of its file: by its colours, made by plain sharp. */
import sharp, { type Sharp } from 'sharp';
import type { Step } from './ledger.ts';

/** Cells a side: a picture's four quarters have other colours (`makePictures`), of which a flip is seen in each cell. */
const side = 8;
/** Of 255, on average: lossy formats stay below 4, one flip of a whole picture is above 50. */
const tolerance = 12;
/** It is read again at once: to pack it takes longer than all else that is done with it. */
const uncompressed = { compressionLevel: 0 };

/** How far two pictures are from each other if that is too far, else undefined. */
export async function difference(shown: Buffer, expected: Buffer): Promise<string | undefined> {
  const [one, other] = await Promise.all([averageCells(shown), averageCells(expected)]);
  const sum = one.reduce((sum, value, index) => sum + Math.abs(value - other[index]!), 0);
  const mean = sum / one.length;
  return mean > tolerance ? `differs by ${mean.toFixed(0)} of 255` : undefined;
}

/** What is shown of a file after its steps, as a PNG. */
export async function afterSteps(file: Buffer, steps: Step[]): Promise<Buffer> {
  let picture = await sharp(file).png(uncompressed).toBuffer();
  // One after the other: sharp has an order of its own for what is done in one go.
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
