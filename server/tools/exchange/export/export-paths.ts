/** Paths of a user's albums and photos in an export. */
import { join } from 'node:path/posix';
import type { Deps } from '../../../deps.ts';
import { flattenRowPages } from '../../../platform/db/pages.ts';
import { trashFolderName } from '../schema.ts';
import { buildTrashedPhotoName, createUniqueFileNames } from './names.ts';
import {
  type ExportedAlbum,
  type ExportedPhoto,
  findAlbums,
  yieldPhotosOfAlbum,
  yieldTrashedPhotos,
} from './rows.ts';

/** A photo in an export. `path` is relative to the export's folder. */
export interface PhotoExportPath {
  photo: ExportedPhoto;
  path: string;
}

/** An album in an export, yielded before the items in its folder. */
export interface AlbumExportPath {
  album: ExportedAlbum;
  path: string;
}

/**
 * Yields the albums and photos of an export: first the photos of a folder, then its albums, and the trash last. Only
 * the names of the current folder and of the folders above it are in memory.
 */
export async function* yieldExportPaths(
  deps: Deps,
  userId: number,
): AsyncGenerator<PhotoExportPath | AlbumExportPath> {
  const albums = Map.groupBy(await findAlbums(deps, userId), ({ parent_id }) => parent_id);
  const paths = new Map<number | null, string>([[null, '']]);
  yield* pathsIn('', null);
  for await (const photo of flattenRowPages(yieldTrashedPhotos(deps, userId))) {
    // The path lacks the album's folder if the album was created during the export.
    yield {
      photo,
      path: join(trashFolderName, paths.get(photo.album_id) ?? '', buildTrashedPhotoName(photo)),
    };
  }

  async function* pathsIn(
    folder: string,
    albumId: number | null,
  ): AsyncGenerator<PhotoExportPath | AlbumExportPath> {
    const names = createUniqueFileNames();
    const inner = (albums.get(albumId) ?? []).map((album) => ({
      album,
      path: join(folder, names.folder(album.name, album.id)),
    }));
    for await (const photo of flattenRowPages(yieldPhotosOfAlbum(deps, userId, albumId))) {
      yield { photo, path: join(folder, names.photo(photo)) };
    }
    for (const place of inner) {
      paths.set(place.album.id, place.path);
      yield place;
      yield* pathsIn(place.path, place.album.id);
    }
  }
}
