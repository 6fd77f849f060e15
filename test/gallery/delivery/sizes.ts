/** What tests of sizes on demand ask of a gallery. */
import assert from 'node:assert/strict';
import { assertRead } from '../../support/answers.ts';
import type { Gallery } from '../../support/harness.ts';
import { objectsStored } from '../../support/holdings.ts';
import { anonymous, type Person } from '../../support/people.ts';

/** Paths of the photo's sizes, as `who` is given them. */
export async function imageOf(who: Person, { id }: { id: number }) {
  const { image } = assertRead(await who.get(`/api/photos/${id}`));
  assert.match(image, /^\/storage\/[0-9a-f]{32}\.w\{width\}\.webp(\?|$)/);
  return (width: number, format = 'webp'): string => image.replace('{width}.webp', `${width}.${format}`);
}

export function keyOf({ thumb }: { thumb: string }): string {
  return /[0-9a-f]{32}/.exec(thumb)![0];
}

/** Names of the sizes that the storage holds of this photo, sorted. */
export async function sizesStored({ deps }: Gallery, photo: { thumb: string }): Promise<string[]> {
  const own = (await objectsStored(deps)).filter((name) => name.startsWith(keyOf(photo)));
  return own.filter((name) => /\.w\d+\./.test(name));
}

/** How many this process has made, by its metrics. */
export async function madeBy(gallery: Gallery): Promise<number> {
  const { bytes } = await anonymous(gallery).get('/metrics');
  return Number(/^lightwell_sizes_made_total (\d+)$/m.exec(bytes.toString())![1]);
}
