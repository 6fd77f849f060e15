/** Helpers for tests of sizes on demand. */
import assert from 'node:assert/strict';
import { assertRead } from '../../support/assert-answers.ts';
import { listStoredObjects } from '../../support/gallery-counts.ts';
import type { Gallery } from '../../support/harness.ts';
import { asVisitor, type Person } from '../../support/people.ts';

/** Returns a function for the paths of the photo's sizes, as the API returns them to `who`. */
export async function readImagePath(who: Person, { id }: { id: number }) {
  const { image } = assertRead(await who.get(`/api/photos/${id}`));
  assert.match(image, /^\/storage\/[0-9a-f]{32}\.w\{width\}\.webp(\?|$)/);
  return (width: number, format = 'webp'): string => image.replace('{width}.webp', `${width}.${format}`);
}

export function readKey({ thumb }: { thumb: string }): string {
  return /[0-9a-f]{32}/.exec(thumb)![0];
}

/** Returns the sorted names of the stored sizes of this photo. */
export async function listStoredSizes({ deps }: Gallery, photo: { thumb: string }): Promise<string[]> {
  const own = (await listStoredObjects(deps)).filter((name) => name.startsWith(readKey(photo)));
  return own.filter((name) => /\.w\d+\./.test(name));
}

/** Returns the number of sizes that this process has rendered, according to its metrics. */
export async function countRenderings(gallery: Gallery): Promise<number> {
  const { bytes } = await asVisitor(gallery).get('/metrics');
  return Number(/^lightwell_sizes_made_total (\d+)$/m.exec(bytes.toString())![1]);
}
