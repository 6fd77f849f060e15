/** The versions of photos whose objects must be there. */

import type { Deps } from '../../deps.ts';
import { pagesBy } from '../../platform/db/pages.ts';
import type { ImageRow, PhotoRow } from '../../platform/db/tables.ts';

const pageSize = 200;

/** A version, and what its photo says of it. */
export type CheckedImage = ImageRow &
  Pick<PhotoRow, 'sha256' | 'image_key' | 'original_key'> & { user_id: number };

export function imagesInPages(deps: Deps): AsyncGenerator<CheckedImage[]> {
  return pagesBy(query(deps), 'images.key', 'key', '', pageSize);
}

export async function findImage(deps: Deps, key: string): Promise<CheckedImage | undefined> {
  return query(deps).where('images.key', '=', key).executeTakeFirst();
}

/** Versions that an edit has replaced are as good as gone, whether the sweep was there already or not. */
function query({ db }: Deps) {
  return db.slow
    .selectFrom('images')
    .innerJoin('photos', 'photos.id', 'images.photo_id')
    .selectAll('images')
    .select(['photos.sha256', 'photos.image_key', 'photos.original_key', 'photos.user_id'])
    .where((is) =>
      is.or([
        is('images.expire_time', 'is', null),
        is('images.key', '=', is.ref('photos.image_key')),
        is('images.key', '=', is.ref('photos.original_key')),
      ]),
    );
}

export async function countImages({ db }: Deps): Promise<number> {
  const { n } = await db.slow
    .selectFrom('images')
    .select((is) => is.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** No foreign key says that these rows exist. One statement sees photo and image as of one moment. */
export function photosWithoutImageRow({ db }: Deps): AsyncGenerator<{ id: number; key: string }[]> {
  const photos = db.slow
    .selectFrom('photos')
    .leftJoin('images as shown', 'shown.key', 'photos.image_key')
    .leftJoin('images as original', 'original.key', 'photos.original_key')
    .select(['photos.id', 'photos.image_key as key'])
    .where((is) => is.or([is('shown.key', 'is', null), is('original.key', 'is', null)]));
  return pagesBy(photos, 'photos.id', 'id', 0, pageSize);
}
