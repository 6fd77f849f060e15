/** Which process makes a size: of several that are asked for it at the same time, one. */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { prepareTogether } from '../../platform/db/prepared.ts';
import type { ImageRow } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { maxClockSkew } from '../../platform/process/clock.ts';
import { bitOf, hasSize, isOversized, type Size, sizeName } from './sizes.ts';

/** A process that dies meanwhile blocks the size for so long; one that is at work renews its claim. */
const claimSeconds = 15;
const renewMs = 5000;

/** `oversized`: it has more bytes than the image's file, and is not stored. */
export type Outcome = 'made' | 'oversized';

/** What makes a size asks these. Each is one transaction that is sent at once. */
export interface SizeClaims {
  /** Whether this process may make it, or must wait for another one. Throws photoNotFound when the image has gone. */
  claim(key: string, size: Size): Promise<'ours' | 'taken' | Outcome>;
  /**
   * Its object is stored, or it is not to be stored: gives the claim back, too. Throws photoNotFound when the image has
   * gone meanwhile.
   */
  note(key: string, size: Size, outcome: Outcome): Promise<void>;
}

export function createSizeClaims(deps: Deps): SizeClaims {
  const { clock } = deps;
  const claimAndLook = prepareClaim(deps);
  const noteAndRelease = {
    made: prepareNote(deps, 'sizes'),
    oversized: prepareNote(deps, 'oversized'),
  };

  return {
    async claim(key, size) {
      const object = sizeName(key, size);
      const [claimed, images] = await claimAndLook({ key, object, ...timesAt(clock()) });
      const isOurs = claimed!.rows.length > 0;
      const image = images!.rows[0] as Pick<ImageRow, 'sizes' | 'oversized'> | undefined;
      const known = image && findOutcome(image, size);
      if (image && !known) return isOurs ? 'ours' : 'taken';
      if (isOurs) await releaseSize(deps, object);
      if (!known) throw errors.photoNotFound();
      return known;
    },
    async note(key, size, outcome) {
      const [noted] = await noteAndRelease[outcome]({ key, object: sizeName(key, size), bit: bitOf(size) });
      if (noted!.changes === 0) throw errors.photoNotFound();
    },
  };
}

function findOutcome(image: Pick<ImageRow, 'sizes' | 'oversized'>, size: Size): Outcome | undefined {
  if (hasSize(image, size)) return 'made';
  return isOversized(image, size) ? 'oversized' : undefined;
}

/**
 * Whoever gets a claim looks at the bit after that: it may have been set since the request read it. By a statement of its
 * own, since PostgreSQL reads as of a statement's beginning, before this one waited for whoever had the claim.
 */
function prepareClaim({ db }: Deps) {
  return prepareTogether(
    db,
    (query, arg) =>
      query
        .insertInto('size_claims')
        .values({ object: arg<string>('object'), until_time: arg<number>('end') })
        .onConflict((conflict) =>
          conflict
            .column('object')
            .doUpdateSet({ until_time: arg<number>('end') })
            .where((is) =>
              is.not(is.between('size_claims.until_time', arg<number>('earliest'), arg<number>('latest'))),
            ),
        )
        .returning('object'),
    (query, arg) =>
      query.selectFrom('images').select(['sizes', 'oversized']).where('key', '=', arg<string>('key')),
  );
}

/** One transaction: whoever gets the claim after it finds the bit. */
function prepareNote({ db }: Deps, column: 'sizes' | 'oversized') {
  return prepareTogether(
    db,
    (query, arg) =>
      query
        .updateTable('images')
        .set({ [column]: sql<number>`${sql.ref(column)} | ${arg('bit')}` })
        .where('key', '=', arg<string>('key')),
    (query, arg) => query.deleteFrom('size_claims').where('object', '=', arg<string>('object')),
  );
}

/** Where a claim made now ends, and between which times one does that holds. */
function timesAt(now: number) {
  return { end: now + claimSeconds, earliest: now + 1, latest: latestEnd(now) };
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
  const { earliest, latest } = timesAt(clock());
  await db.kysely
    .deleteFrom('size_claims')
    .where((is) => is.not(is.between('until_time', earliest, latest)))
    .execute();
}

/** A claim that ends later was made by a clock that was wrong: it would block its size for as long as that. */
function latestEnd(now: number): number {
  return now + claimSeconds + maxClockSkew;
}

export async function releaseSize({ db }: Deps, object: string): Promise<void> {
  await db.kysely.deleteFrom('size_claims').where('object', '=', object).execute();
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
