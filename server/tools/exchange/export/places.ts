/** Where everything that a user has goes in an export. */
import { join } from 'node:path/posix';
import type { Deps } from '../../../deps.ts';
import { each } from '../../../platform/db/pages.ts';
import { trashFolderName } from '../schema.ts';
import { createFolderNames, trashedName } from './names.ts';
import { type ExportedAlbum, type ExportedPhoto, findAlbums, photosOf, trashedPhotosOf } from './rows.ts';

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

/**
 * Of a folder first the photos, then the albums in it: the names of one are in memory at a time, and of those above.
 * The trash is last.
 */
export async function* placesOf(deps: Deps, userId: number): AsyncGenerator<PhotoPlace | AlbumPlace> {
  const albums = Map.groupBy(await findAlbums(deps, userId), ({ parent_id }) => parent_id);
  const paths = new Map<number | null, string>([[null, '']]);
  yield* placesIn('', null);
  for await (const photo of each(trashedPhotosOf(deps, userId))) {
    // An album that was made meanwhile has no folder.
    yield { photo, path: join(trashFolderName, paths.get(photo.album_id) ?? '', trashedName(photo)) };
  }

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
      paths.set(place.album.id, place.path);
      yield place;
      yield* placesIn(place.path, place.album.id);
    }
  }
}
