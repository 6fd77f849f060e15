/** Tests that the torture part `images` finds every field that stores a picture's size, in each format. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { makeExtreme, type Size, sizesIn } from '../../torture/images/image-sizes.ts';
import { mendSums } from '../../torture/images/png-sums.ts';
import { readSeeds, type Seed } from '../../torture/images/seeds.ts';
import { createRandom } from '../support/random.ts';

const listSides = ({ width, height }: Size) => [width.value, height.value];
/** Returns the sample pictures that sharp can read, which excludes HEIC. */
async function seedsThatSharpReads(): Promise<Seed[]> {
  return (await readSeeds()).flatMap(({ format, made }) => (format === 'heic' ? [] : made));
}

const readHeader = (bytes: Buffer) => sharp(bytes, { limitInputPixels: false }).metadata();

test('the sides that are found are those that a decoder reads, and become others for it', async () => {
  const made = await seedsThatSharpReads();
  for (const { name, bytes } of made) {
    const before = await readHeader(bytes);
    const sizes = sizesIn(bytes);
    assert.deepEqual(listSides(sizes[0]!), [before.width, before.height], name);
    for (const { width, height } of sizes) {
      width.set(8000);
      height.set(3000);
    }
    for (const size of sizesIn(bytes)) assert.deepEqual(listSides(size), [8000, 3000], name);
    mendSums(bytes);
    const after = await readHeader(bytes);
    assert.deepEqual([after.width, after.height], [8000, 3000], name);
  }
});

test('chance makes them extreme in every format, the same for the same seed; not in what is no picture', async () => {
  const made = await seedsThatSharpReads();
  for (const { name, bytes } of made) {
    const largest = Array.from({ length: 30 }, (_, seed) => {
      const [one, other] = [Buffer.from(bytes), Buffer.from(bytes)];
      assert.ok(makeExtreme(createRandom(seed), one), name);
      makeExtreme(createRandom(seed), other);
      assert.deepEqual(one, other, name);
      return Math.max(...sizesIn(one).flatMap(listSides));
    });
    assert.ok(Math.max(...largest) >= 16_383, `${name}: ${largest}`);
  }
  const text = Buffer.from('not a picture');
  assert.ok(!makeExtreme(createRandom(1), text));
  assert.equal(text.toString(), 'not a picture');
});

test('a file that ends in the middle of a size has none there', async () => {
  const made = await seedsThatSharpReads();
  for (const { bytes } of made)
    for (let end = 0; end < bytes.length; end += end < 300 ? 1 : 97)
      makeExtreme(createRandom(end), Buffer.from(bytes.subarray(0, end)));
});
