/** Which process makes a size: of several that are asked for it at the same time, one. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { maxClockSkew } from '../../platform/process/clock.ts';
import { bitOf, hasSize, type Size, sizeName } from './sizes.ts';

/** A process that dies meanwhile blocks the size for so long; one that is at work renews its claim. */
const claimSeconds = 15;
const renewMs = 5000;

/** Whether this process may make it. */
export async function claimSize({ db, clock }: Deps, object: string): Promise<boolean> {
  const now = clock();
  const claimed = await db.kysely
    .insertInto('size_claims')
    .values({ object, until_time: now + claimSeconds })
    .onConflict((conflict) =>
      conflict
        .column('object')
        .doUpdateSet({ until_time: now + claimSeconds })
        .where((is) => is.not(is.between('size_claims.until_time', now + 1, latestEnd(now)))),
    )
    .returning('object')
    .execute();
  return claimed.length > 0;
}

/** What it returns ends that. */
export function keepClaim({ db, clock, log }: Deps, object: string): () => void {
  const timer = setInterval(() => {
    db.kysely
      .updateTable('size_claims')
      .set({ until_time: clock() + claimSeconds })
      .where('object', '=', object)
      .execute()
      // At worst the size is made twice.
      .catch((error: unknown) => log.debug({ err: error, object }, 'a claim was not renewed'));
  }, renewMs).unref();
  return () => clearInterval(timer);
}

/** Those of processes that died, and those of a clock that was wrong. */
export async function forgetOldClaims({ db, clock }: Deps): Promise<void> {
  const now = clock();
  await db.kysely
    .deleteFrom('size_claims')
    .where((is) => is.not(is.between('until_time', now + 1, latestEnd(now))))
    .execute();
}

/** A claim that ends later was made by a clock that was wrong: it would block its size for as long as that. */
function latestEnd(now: number): number {
  return now + claimSeconds + maxClockSkew;
}

export async function releaseSize({ db }: Deps, object: string): Promise<void> {
  await db.kysely.deleteFrom('size_claims').where('object', '=', object).execute();
}

/** Throws photoNotFound when the image has gone. */
export async function isMade({ db }: Deps, key: string, size: Size): Promise<boolean> {
  const image = await db.kysely
    .selectFrom('images')
    .select('sizes')
    .where('key', '=', key)
    .executeTakeFirst();
  if (!image) throw errors.photoNotFound();
  return hasSize(image, size);
}

/** Objects that are not there, or are no good: they are made again when one is asked for. */
export async function forgetSizes({ db }: Pick<Deps, 'db'>, key: string, sizes: Size[]): Promise<void> {
  const kept = ~sizes.reduce((bits, size) => bits | bitOf(size), 0);
  await db.kysely
    .updateTable('images')
    .set({ sizes: sql<number>`sizes & ${sql.lit(kept)}` })
    .where('key', '=', key)
    .execute();
}

/**
 * Its object is stored: gives the claim back, too. Throws photoNotFound when the image has gone meanwhile; then the
 * object is removed again.
 */
export async function noteMade({ db, storage }: Deps, key: string, size: Size): Promise<void> {
  const isNoted = await db.kysely.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('images')
      .set({ sizes: sql<number>`sizes | ${sql.lit(bitOf(size))}` })
      .where('key', '=', key)
      .executeTakeFirst();
    await transaction.deleteFrom('size_claims').where('object', '=', sizeName(key, size)).execute();
    return numUpdatedRows > 0n;
  });
  if (isNoted) return;
  await storage.remove(sizeName(key, size));
  throw errors.photoNotFound();
}
