/**
 * Photos follow their album when it is hidden or shown: at once where they are few. The others follow a batch at a
 * time, each in a short transaction, so that other writers get in between; a crash leaves the rest for the next start.
 * Until then every check of a photo asks its album, too (visible.ts). Why: docs/adr/0028-the-kernel.md.
 */
import { type Kysely, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { type Shown, UserStatus, Visibility } from '../../platform/db/states.ts';
import type { AlbumRow, Tables, Transaction } from '../../platform/db/tables.ts';
import { addAhead, addToAlbum, addToTotals } from './counts.ts';
import { countGroups } from './groups.ts';
import { writing } from './tables.ts';

/** So many follow in the transaction that hides or shows their album; */
const few = 2000;
/** of more, so many in a transaction of their own. */
const atOnce = 1000;

type Album = Pick<AlbumRow, 'id' | 'user_id'>;

/** Photos of an album that follow its visibility. `after` and `last` are places in it. */
interface Range {
  album: Album;
  visibility: Visibility;
  after: number;
  last?: number;
}

/**
 * Only photos that are public themselves follow: the others are private whatever their album is. The owner's library is
 * locked, and the album's own row says `to`. Search follows a moment later, by `search_moves`.
 */
export async function setVisibilityOfPhotos(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  album: Album,
  to: Shown,
  most = few,
): Promise<void> {
  await takeBack(transaction, album);
  // What a disabled account holds stays hidden until it is enabled.
  const isShown = to === Visibility.public;
  if (isShown && (await statusOf(transaction, album.user_id)) !== UserStatus.enabled) return;
  const n = isShown ? 0 : await publicCountOf(transaction, album.id);
  if (n <= most) {
    const { moved } = await moveBatch({ db }, transaction, { album, to, after: -1, most });
    await countMoved(transaction, album, to, moved);
    if (moved < most) return;
  } else {
    await countMoved(transaction, album, to, n);
  }
  await transaction
    .insertInto('album_moves')
    .values({ album_id: album.id, ahead: n > most ? n : 0, after: -1 })
    .execute();
}

/** The same of all of them in this one transaction. */
export async function showAllPhotos(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  album: Album,
): Promise<void> {
  await takeBack(transaction, album);
  if ((await statusOf(transaction, album.user_id)) !== UserStatus.enabled) return;
  const to = Visibility.public;
  for (let after = -1; ; ) {
    const { moved, last } = await moveBatch({ db }, transaction, { album, to, after, most: 10 * few });
    if (last === null) return;
    await countMoved(transaction, album, to, moved);
    after = last;
  }
}

/** Lets counts say again what the rows say, and forgets what was left to do. */
export async function takeBack(transaction: Transaction, album: Album): Promise<void> {
  const move = await transaction
    .deleteFrom('album_moves')
    .where('album_id', '=', album.id)
    .returning('ahead')
    .executeTakeFirst();
  if (move) await countMoved(transaction, album, Visibility.public, move.ahead);
}

async function countMoved(transaction: Transaction, album: Album, to: Shown, n: number): Promise<void> {
  if (n === 0) return;
  const isShown = to === Visibility.public;
  await addToAlbum(transaction, album.id, { photos: 0, open: isShown ? n : -n });
  await addToTotals(transaction, album.user_id, { [otherThan(to)]: -n, [to]: n });
}

function otherThan(to: Shown): Shown {
  return to === Visibility.public ? Visibility.private : Visibility.public;
}

async function publicCountOf(transaction: Transaction, id: number): Promise<number> {
  const { public_count } = await transaction
    .selectFrom('albums')
    .select('public_count')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return public_count;
}

/** Of an account whose library is locked; undefined when it is gone. */
export async function statusOf(transaction: Transaction, userId: number): Promise<UserStatus | undefined> {
  const user = await transaction
    .selectFrom('users')
    .select('status')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.status;
}

/** Moves a batch of one album that waits for it, in one short transaction; returns whether there may be more to do. */
export async function followAlbums({ db }: Pick<Deps, 'db'>, most = atOnce): Promise<boolean> {
  const next = await db.kysely
    .selectFrom('album_moves')
    .innerJoin('albums', 'albums.id', 'album_moves.album_id')
    .select(['albums.id', 'albums.user_id'])
    .orderBy('albums.id')
    .limit(1)
    .executeTakeFirst();
  if (!next) return false;
  await db.kysely.transaction().execute(async (transaction) => {
    await db.lockLibrary(transaction, next.user_id);
    await followAlbum({ db }, transaction, next, most);
  });
  return true;
}

/** The album is asked anew: it may have been shown since, or gone. */
async function followAlbum(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  album: Album,
  most: number,
): Promise<void> {
  const found = await transaction
    .selectFrom('album_moves')
    .innerJoin('albums', 'albums.id', 'album_moves.album_id')
    .select(['ahead', 'after', 'visibility'])
    .where('album_id', '=', album.id)
    .executeTakeFirst();
  if (!found) return;
  const { ahead, after, visibility: to } = found;
  const isAllowed =
    to === Visibility.private || (await statusOf(transaction, album.user_id)) === UserStatus.enabled;
  const { moved, last } = isAllowed
    ? await moveBatch({ db }, transaction, { album, to, after, most })
    : { moved: 0, last: null };
  if (last === null && (after === -1 || !isAllowed)) {
    await transaction.deleteFrom('album_moves').where('album_id', '=', album.id).execute();
    return;
  }
  if (ahead > 0) await addAhead(transaction, album.id, -moved);
  else await countMoved(transaction, album, to, moved);
  // At the end once more from the start: photos may have been put into another order meanwhile.
  await transaction
    .updateTable('album_moves')
    .set({ after: last ?? -1 })
    .where('album_id', '=', album.id)
    .execute();
}

interface Batch {
  album: Album;
  to: Shown;
  after: number;
  most: number;
}

/** Counts neither photos nor totals. `last` is the place of the last one, null when there was none. */
async function moveBatch(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  { album, to, after, most }: Batch,
): Promise<{ moved: number; last: number | null }> {
  const range: Range = { album, visibility: otherThan(to), after };
  const locked = idsIn(transaction, range)
    .select('album_position')
    .orderBy('album_position')
    .limit(most)
    .forUpdate();
  const { n, last } = await transaction
    .selectFrom(locked.as('locked'))
    .select((is) => [
      is.fn.countAll<number>().as('n'),
      is.fn.max<number | null>('locked.album_position').as('last'),
    ])
    .executeTakeFirstOrThrow();
  if (last !== null) {
    await db.changeMany(transaction, () => rewrite({ db }, transaction, { ...range, last }, to));
  }
  return { moved: n, last };
}

async function rewrite(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction,
  range: Range,
  to: Shown,
): Promise<void> {
  const ids = idsIn(transaction, range);
  await writing(transaction)
    .insertInto('search_moves')
    .columns(['photo_id'])
    .expression(ids)
    .onConflict((conflict) => conflict.column('photo_id').doNothing())
    .execute();
  const { album, visibility: from } = range;
  await countGroups(db, transaction, sql`${ids}`, -1);
  await countGroups(db, transaction, sql`${ids}`, 1, to);
  await db.moveTags(transaction, { photos: sql`${ids}`, userId: album.user_id, from, to });
  await writing(transaction).updateTable('photos').set({ visibility: to }).where('id', 'in', ids).execute();
}

function idsIn(kysely: Kysely<Tables>, { album, visibility, after, last }: Range) {
  return kysely
    .selectFrom('photos')
    .select('id')
    .where('album_id', '=', album.id)
    .where('visibility', '=', visibility)
    .where('is_public', '=', 1)
    .where('album_position', '>', after)
    .$if(last !== undefined, (some) => some.where('album_position', '<=', last!));
}
