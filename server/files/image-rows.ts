/** The queries behind `/storage`: one for every request, by the key in the path. */
import { LRUCache } from 'lru-cache';
import { prepare } from '../db/prepared.ts';
import type { ImageRow } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import type { Part } from '../imaging/clean.ts';
import type { GuardedPhoto } from './access.ts';

/** An image and the photo that decides over it. */
export type GuardedImage = GuardedPhoto &
  Pick<
    ImageRow,
    'key' | 'kind' | 'extension' | 'mime' | 'preview_extension' | 'full_extension' | 'expire_time'
  >;

/** Facts about so many originals are remembered, about 200 bytes each. */
const originalsRemembered = 20_000;

/**
 * Finds the image behind a key. What never changes about an original is remembered, so that only its photo's
 * visibility is asked, a third less work. Ids are never given out twice, and an original's row lives as long as
 * its photo's. Edited versions come and go, and are asked for in full.
 */
export function createFindImage({ db }: Deps): (key: string) => Found | Promise<Found> {
  const originals = new LRUCache<string, GuardedImage>({ max: originalsRemembered });
  const find = prepareImage(db);
  const findVisibility = prepare<{ visibility: number }>(db, (query, arg) =>
    query.selectFrom('photos').select('visibility').where('id', '=', arg<number>('id')),
  );

  const now = (known: GuardedImage, [photo]: { visibility: number }[]): Found => {
    if (!photo) return undefined;
    return photo.visibility === known.visibility ? known : { ...known, visibility: photo.visibility };
  };
  const remember = ([image]: GuardedImage[]): Found => {
    if (image?.kind === 'original' && image.expire_time === null) originals.set(image.key, image);
    return image;
  };

  return (key) => {
    const known = originals.get(key);
    if (!known) return whenFound(find({ key }), remember);
    return whenFound(findVisibility({ id: known.photo_id }), (rows) => now(known, rows));
  };
}

type Found = GuardedImage | undefined;

/** SQLite answers at once, PostgreSQL later. */
export function whenFound<Row, Value>(
  found: Row[] | Promise<Row[]>,
  use: (rows: Row[]) => Value,
): Value | Promise<Awaited<Value>> {
  return found instanceof Promise ? (found.then(use) as Promise<Awaited<Value>>) : use(found);
}

function prepareImage(db: Deps['db']) {
  return prepare<GuardedImage>(db, (query, arg) =>
    query
      .selectFrom('images')
      .innerJoin('photos', 'photos.id', 'images.photo_id')
      .select([
        'images.key',
        'images.kind',
        'images.extension',
        'images.mime',
        'images.preview_extension',
        'images.full_extension',
        'images.expire_time',
        'photos.id as photo_id',
        'photos.user_id',
        'photos.visibility',
      ])
      .where('images.key', '=', arg<string>('key')),
  );
}

/** The parts of an original's clean copy, null where it has none. */
export function prepareCleanParts({ db }: Deps): (key: string) => Promise<Part[] | null> {
  const find = prepare<{ clean_parts: string | null }>(db, (query, arg) =>
    query.selectFrom('images').select('clean_parts').where('key', '=', arg<string>('key')),
  );
  return async (key) => {
    const [row] = await find({ key });
    return row?.clean_parts ? (JSON.parse(row.clean_parts) as Part[]) : null;
  };
}
