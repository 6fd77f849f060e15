/** Where everything that a user has goes in an export. */
import { join } from 'node:path/posix';
import type { Deps } from '../../../deps.ts';
import { each } from '../../../platform/db/pages.ts';
import { createFolderNames } from './names.ts';
import { type ExportedAlbum, type ExportedPhoto, findAlbums, photosOf } from './rows.ts';

/** `path`: of the file, below the export's folder. */
export interface PhotoPlace {
  photo: ExportedPhoto;
  path: string;
}

/** A folder; what is in it comes after it. */
export interface AlbumPlace {
  album: ExportedAlbum;
  path: string;
}

/** Of a folder first the photos, then the albums in it: the names of one are in memory at a time, and of those above. */
export async function* placesOf(deps: Deps, userId: number): AsyncGenerator<PhotoPlace | AlbumPlace> {
  const albums = Map.groupBy(await findAlbums(deps, userId), ({ parent_id }) => parent_id);
  yield* placesIn('', null);

  async function* placesIn(folder: string, albumId: number | null): AsyncGenerator<PhotoPlace | AlbumPlace> {
    const names = createFolderNames();
    const inner = (albums.get(albumId) ?? []).map((album) => ({
      album,
      path: join(folder, names.folder(album.name, album.id)),
    }));
    for await (const photo of each(photosOf(deps, userId, albumId))) {
      yield { photo, path: join(folder, names.photo(photo)) };
    }
    for (const place of inner) {
      yield place;
      yield* placesIn(place.path, place.album.id);
    }
  }
}
