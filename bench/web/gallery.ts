/** Creates a gallery of realistic photos: the given corpus, or generated pictures with as much detail. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { type Gallery, startGallery } from '../../test/support/harness.ts';
import { addPhoto, register } from '../../test/support/people.ts';

const corpus = resolve(
  process.env.LIGHTWELL_CORPUS ?? join(import.meta.dirname, '../../../shared/corpus'),
  'photos',
);
const maxPhotos = 60;

export async function photographs(): Promise<Gallery> {
  const gallery = await startGallery({ rateLimit: 0 });
  const owner = await register(gallery, 'ann');
  for (const [index, picture] of (await pictures()).entries()) {
    await addPhoto(owner, { title: `Photo ${index}`, tags: 'bench' }, picture);
  }
  return gallery;
}

async function pictures(): Promise<Buffer[]> {
  const names = await readdir(corpus, { recursive: true }).catch(() => []);
  const jpegs = names.filter((name) => /\.jpe?g$/i.test(name)).slice(0, maxPhotos);
  if (jpegs.length > 10) return await Promise.all(jpegs.map((name) => readFile(join(corpus, name))));
  console.log(`no photographs at ${corpus}: pictures of noise instead`);
  return await Promise.all(Array.from({ length: maxPhotos }, (_, index) => noise(index)));
}

/** Returns a picture of soft noise, which has about as many bytes at each width as a photograph. */
async function noise(index: number): Promise<Buffer> {
  const [width, height] = index % 3 === 0 ? [1200, 1600] : [1600, 1067];
  const noise = { type: 'gaussian' as const, mean: 110 + (index % 5) * 10, sigma: 40 };
  return await sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .blur(2)
    .jpeg({ quality: 85 })
    .toBuffer();
}
