/** Checks the rows that say which albums contain which photos: the main albums, and the copies of photo columns. */
import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { deleteFromAlbum, insertIntoAlbum } from '../../gallery/library/album-photos.ts';
import { lockPhotoToMove } from '../../gallery/library/locks.ts';
import { unlimitedReadOptions } from '../../platform/db/dialect.ts';
import type { Transaction } from '../../platform/db/tables.ts';
import type { CheckContext } from './findings.ts';

interface WrongRow {
  photo_id: number;
  album_id: number;
}

/** A fault of rows, and its repair in a transaction that has locked the photo and its library. */
interface Fault {
  detail: string;
  find: RawBuilder<WrongRow>;
  repair(deps: Deps, transaction: Transaction, row: WrongRow): Promise<void>;
}

const rows = sql`SELECT photos.id AS photo_id, album_photos.album_id
  FROM album_photos JOIN photos ON photos.id = album_photos.photo_id`;

const faults: Fault[] = [
  {
    detail: 'is not in its main album',
    find: sql`SELECT photos.id AS photo_id, photos.album_id FROM photos
      LEFT JOIN album_photos ON album_photos.photo_id = photos.id AND album_photos.album_id = photos.album_id
      WHERE photos.album_id IS NOT NULL AND album_photos.photo_id IS NULL`,
    async repair({ clock }, transaction, { photo_id, album_id }) {
      await insertIntoAlbum(transaction, { id: album_id }, [photo_id], { addedBy: 0, now: clock() });
    },
  },
  {
    detail: 'is in an album of another user',
    find: sql`${rows} JOIN albums ON albums.id = album_photos.album_id WHERE albums.user_id <> photos.user_id`,
    repair: (_, transaction, { photo_id, album_id }) => deleteFromAlbum(transaction, album_id, [photo_id]),
  },
  {
    detail: 'has another visibility or upload time in an album',
    find: sql`${rows} WHERE album_photos.visibility <> photos.visibility
      OR album_photos.create_time <> photos.create_time`,
    async repair(_, transaction, { photo_id }) {
      await sql`UPDATE album_photos SET visibility = photos.visibility, create_time = photos.create_time
        FROM photos WHERE photos.id = album_photos.photo_id AND photos.id = ${photo_id}`.execute(transaction);
    },
  },
];

export async function checkAlbumPhotos({ deps, progress, report }: CheckContext): Promise<void> {
  progress.begin('photos in albums');
  for (const { detail, find, repair } of faults) {
    const { rows: wrong } = await sql<WrongRow>`${find} ORDER BY 1, 2`.execute(
      deps.db.slow(unlimitedReadOptions),
    );
    for (const row of wrong) {
      await report({
        kind: 'album-photo-wrong',
        subject: `photo ${row.photo_id}`,
        detail: `${detail} (album ${row.album_id})`,
        repair: () =>
          deps.db.kysely.transaction().execute(async (transaction) => {
            if (!(await lockPhotoToMove(deps, transaction, row.photo_id))) return false;
            const { rows: still } = await sql<WrongRow>`SELECT * FROM (${find}) AS wrong
              WHERE photo_id = ${row.photo_id} AND album_id = ${row.album_id}`.execute(transaction);
            if (still.length === 0) return false;
            await repair(deps, transaction, row);
            return true;
          }),
      });
    }
  }
}
