/** Reads and writes which sizes of an image are stored, as one bit per size in the image's row. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { ImageRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { getSizeBit, hasRenderedSize, isSizeOversized, type RenderedSizeSpec } from './sizes.ts';

/** Result of rendering a size. An `oversized` size has more bytes than the image's file and is not stored. */
export type SizeRenderOutcome = 'made' | 'oversized';

type SizeRowDeps = Pick<Deps, 'db'>;

/**
 * Returns the recorded outcome of a size, or undefined if the size was not rendered yet. Throws photoNotFound if
 * the image is gone.
 */
export async function findSizeRenderOutcome(
  { db }: SizeRowDeps,
  key: string,
  size: RenderedSizeSpec,
): Promise<SizeRenderOutcome | undefined> {
  const image: Pick<ImageRow, 'sizes' | 'oversized'> | undefined = await db.kysely
    .selectFrom('images')
    .select(['sizes', 'oversized'])
    .where('key', '=', key)
    .executeTakeFirst();
  if (!image) throw errors.photoNotFound();
  if (hasRenderedSize(image, size)) return 'made';
  return isSizeOversized(image, size) ? 'oversized' : undefined;
}

/**
 * Records the outcome of a size, and returns whether the image still exists. For `made`, the caller has already
 * stored the object.
 */
export async function saveSizeRenderOutcome(
  { db }: SizeRowDeps,
  key: string,
  size: RenderedSizeSpec,
  outcome: SizeRenderOutcome,
): Promise<boolean> {
  const column = outcome === 'made' ? 'sizes' : 'oversized';
  const { numUpdatedRows } = await db.kysely
    .updateTable('images')
    .set({ [column]: sql<number>`${sql.ref(column)} | ${getSizeBit(size)}` })
    .where('key', '=', key)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Clears the bits of sizes whose objects are missing or damaged, so that the next request renders them again. */
export async function clearRenderedSizes(
  { db }: SizeRowDeps,
  key: string,
  sizes: RenderedSizeSpec[],
): Promise<void> {
  const kept = ~sizes.reduce((bits, size) => bits | getSizeBit(size), 0);
  await db.kysely
    .updateTable('images')
    .set({ sizes: sql<number>`sizes & ${sql.lit(kept)}` })
    .where('key', '=', key)
    .execute();
}
