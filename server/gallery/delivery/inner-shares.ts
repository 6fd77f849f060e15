/**
 * Finds out whether a share link shows a photo through an album inside the shared album. Such an inner album has the
 * visibility of the shared album, and so have all albums between them.
 */
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { prepareRead } from '../../platform/db/prepared.ts';
import type { VisibilityOutsideTrash } from '../../platform/db/states.ts';

interface SharedPhoto {
  photo_id: number;
  /** Id and visibility of the shared album. */
  album_id: number;
  visibility: VisibilityOutsideTrash;
}

/**
 * Returns the function that reads how a link to an album shows a photo: `any` for every photo of an inner album,
 * `public` for a photo that only a smart inner album can show, and undefined for other photos.
 */
export function createFindInnerAccess({ db }: Deps) {
  const find = prepareRead<{ is_smart: number }>(db, (query, arg) =>
    query
      .withRecursive('above', (above) =>
        above
          .selectFrom('albums')
          .select(['albums.id', 'albums.parent_id'])
          .select(sql<number>`CASE WHEN albums.rule IS NULL THEN 0 ELSE 1 END`.as('is_smart'))
          .where('albums.visibility', '=', arg<VisibilityOutsideTrash>('visibility'))
          .where((is) =>
            is.or([
              is('albums.id', 'in', (inside) =>
                inside
                  .selectFrom('album_photos')
                  .select('album_photos.album_id')
                  .where('album_photos.photo_id', '=', arg<number>('photo_id')),
              ),
              is.and([
                is('albums.rule', 'is not', null),
                is('albums.user_id', '=', (owners) =>
                  owners.selectFrom('photos').select('user_id').where('id', '=', arg<number>('photo_id')),
                ),
              ]),
            ]),
          )
          .unionAll((all) =>
            all
              .selectFrom('albums')
              .innerJoin('above', 'above.parent_id', 'albums.id')
              .select(['albums.id', 'albums.parent_id', 'above.is_smart'])
              .where('albums.visibility', '=', arg<VisibilityOutsideTrash>('visibility')),
          ),
      )
      .selectFrom('above')
      .select('above.is_smart')
      .where('above.id', '=', arg<number>('album_id'))
      .orderBy('above.is_smart')
      .limit(sql.lit(1)),
  );
  return async ({ photo_id, album_id, visibility }: SharedPhoto): Promise<'any' | 'public' | undefined> => {
    const [found] = await find({ photo_id, album_id, visibility });
    if (!found) return undefined;
    return found.is_smart === 0 ? 'any' : 'public';
  };
}
