/**
 * Shows or hides the photos of an album, thousands in a statement: many small ones would make PostgreSQL walk through
 * all former versions of the same totals again and again, and one for all might take longer than a statement may.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Deps } from '../../deps.ts';
import { type Shown, UserStatus, Visibility } from '../../platform/db/states.ts';
import type { AlbumRow, Tables } from '../../platform/db/tables.ts';
import { addToAlbum, addToTotals } from './counts.ts';
import { writing } from './tables.ts';

const atOnce = 20_000;

type Album = Pick<AlbumRow, 'id' | 'user_id'>;

/** Photos of an album that follow its visibility. `after` and `last` are ids. */
interface Range {
  album: Album;
  visibility: Visibility;
  after: number;
  last?: number;
}

/**
 * Only public photos follow their album: the others are private whatever it is. The owner's library is locked.
 * Search follows a moment later, by `search_moves`.
 */
export async function setVisibilityOfPhotos(
  { db }: Pick<Deps, 'db'>,
  transaction: Transaction<Tables>,
  album: Album,
  to: Shown,
): Promise<void> {
  const isToBePublic = to === Visibility.public;
  // What a disabled account holds stays hidden until it is enabled.
  if (isToBePublic && (await statusOf(transaction, album.user_id)) !== UserStatus.enabled) return;
  const from = isToBePublic ? Visibility.private : Visibility.public;
  const sum = await db.changeMany(transaction, async () => {
    let done = 0;
    for (let after = 0; ; ) {
      const { n, last } = await lock(db, transaction, { album, visibility: from, after });
      if (last === null) return done;
      await show(db, transaction, { album, visibility: from, after, last }, to);
      done += n;
      after = last;
    }
  });
  if (sum === 0) return;
  await addToAlbum(transaction, album.id, { photos: 0, open: isToBePublic ? sum : -sum });
  await addToTotals(transaction, album.user_id, { [from]: -sum, [to]: sum });
}

/** Of an account whose library is locked; undefined when it is gone. */
export async function statusOf(
  transaction: Transaction<Tables>,
  userId: number,
): Promise<UserStatus | undefined> {
  const user = await transaction
    .selectFrom('users')
    .select('status')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.status;
}

/** The next ones, locked in the order of their ids, as everywhere. `last` is null when there are none. */
async function lock(db: Deps['db'], transaction: Transaction<Tables>, range: Range) {
  const locked = idsIn(transaction, range).orderBy('id').limit(atOnce).modifyEnd(db.rowLock);
  return transaction
    .selectFrom(locked.as('locked'))
    .select((is) => [is.fn.countAll<number>().as('n'), is.fn.max<number | null>('locked.id').as('last')])
    .executeTakeFirstOrThrow();
}

async function show(
  db: Deps['db'],
  transaction: Transaction<Tables>,
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
    .where('id', '>', after)
    .$if(last !== undefined, (some) => some.where('id', '<=', last!));
}
