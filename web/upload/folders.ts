/**
 * Creates an album for each uploaded folder, nested like the folders. An existing album of the same name is
 * reused.
 */
import { ApiError } from '../api/client.ts';
import type { Album, NewAlbum, VisibilityLevel } from '../api/types.ts';

const maxName = 100;
/** API code for an album nested deeper than eight levels. */
const tooDeepCode = 30003;

interface AlbumLibrary {
  /** Returns the albums that can hold photos. */
  list(): Promise<Pick<Album, 'id' | 'name' | 'parent_id'>[]>;
  make(album: NewAlbum): Promise<Pick<Album, 'id'>>;
}

export type FolderAlbums = ReturnType<typeof createFolderAlbums>;

export function createFolderAlbums({ list, make }: AlbumLibrary) {
  let known: ReturnType<AlbumLibrary['list']> | undefined;
  const made = new Map<string, Promise<number>>();

  /**
   * Returns the album id for a folder ("Alps/First day") inside the album `base`, 0 for none. Throws
   * ApiError.
   */
  function ensureAlbum(folder: string, base: number, visibility: VisibilityLevel): Promise<number> {
    if (folder === '') return Promise.resolve(base);
    const key = `${base}/${folder}`;
    let album = made.get(key);
    if (!album) {
      album = findOrMake(folder, base, visibility);
      made.set(key, album);
      // A failed album is not cached, so the next file tries again.
      album.catch(() => made.delete(key));
    }
    return album;
  }

  async function findOrMake(folder: string, base: number, visibility: VisibilityLevel): Promise<number> {
    const [, outer = '', name = ''] = /^(?:(.*)\/)?([^/]*)$/.exec(folder)!;
    const parent = await ensureAlbum(outer, base, visibility);
    const title = Array.from(name.normalize().trim()).slice(0, maxName).join('').trim();
    if (title === '') return parent;
    const there = (await listOnce()).find((one) => one.parent_id === parent && one.name === title);
    if (there) return there.id;
    try {
      const { id } = await make({ name: title, parent_id: parent, visibility });
      return id;
    } catch (error) {
      if (error instanceof ApiError && error.code === tooDeepCode) return parent;
      throw error;
    }
  }

  function listOnce() {
    known ??= list();
    known.catch(() => {
      known = undefined;
    });
    return known;
  }

  return {
    ensureAlbum,
    /** Clears the cache, because found albums may have been deleted. */
    forget(): void {
      known = undefined;
      made.clear();
    },
  };
}
