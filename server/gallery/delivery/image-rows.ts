/** Builds the queries behind `/storage`. Each request finds its row by the image key in the path. */

import type { Deps } from '../../deps.ts';
import { prepareRead } from '../../platform/db/prepared.ts';
import type { ImageRow } from '../../platform/db/tables.ts';
import type { CleanPart } from '../../platform/imaging/clean/clean.ts';
import { membersOnlyColumn } from '../identity/members-only.ts';
import { currentVisibilityByOwner } from '../library/visibility-sql.ts';
import type { PhotoAccessRow } from './access.ts';

const imageColumns = [
  'key',
  'kind',
  'extension',
  'mime',
  'preview_extension',
  'full_extension',
  'expire_time',
  'private_time',
  'width',
  'height',
  'frames',
  'size',
  'sizes',
  'oversized',
] as const satisfies (keyof ImageRow)[];

/** Row of an image with the photo that decides who can see the image. */
export type ImageAccessRow = PhotoAccessRow & Pick<ImageRow, (typeof imageColumns)[number]>;

/** Prepares the query that finds an image by its key. */
export function prepareFindImage({ db, config }: Deps) {
  return prepareRead<ImageAccessRow>(db, (query, arg) =>
    query
      .selectFrom('images')
      .innerJoin('photos', 'photos.id', 'images.photo_id')
      .innerJoin('users', 'users.id', 'photos.user_id')
      .select(imageColumns.map((column) => `images.${column}` as const))
      .select(['photos.id as photo_id', 'photos.user_id', 'users.status as owner_status'])
      .select(currentVisibilityByOwner)
      .select(membersOnlyColumn(config))
      .where('images.key', '=', arg<string>('key')),
  );
}

/** Returns a function that finds the parts of an original's clean copy, or null if the original has none. */
export function prepareFindCleanParts({ db }: Deps): (key: string) => Promise<CleanPart[] | null> {
  const find = prepareRead<{ clean_parts: string | null }>(db, (query, arg) =>
    query.selectFrom('images').select('clean_parts').where('key', '=', arg<string>('key')),
  );
  return async (key) => {
    const [row] = await find({ key });
    return row?.clean_parts ? (JSON.parse(row.clean_parts) as CleanPart[]) : null;
  };
}
