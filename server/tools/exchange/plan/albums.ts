/** Collects the albums of a plan. Folders become albums when a photo needs them. */
import type { FolderFindings } from './inspect-folder.ts';
import type { AlbumPlace, PlannedAlbum } from './planned.ts';
import { foldName, type SourceFolder } from './source-file.ts';
import { chooseAlbumName, cleanDescription } from './text.ts';

export type AlbumCollector = ReturnType<typeof createAlbumCollector>;

export function createAlbumCollector(maxDepth: number, findings: Map<SourceFolder, FolderFindings>) {
  const albums: PlannedAlbum[] = [];
  const indexByKey = new Map<string, number>();
  /** Names of albums by the index of the album above, so that two albums of one name stay apart. */
  const usedNames = new Set<string>();

  return {
    albums,
    findOrAddFolder,
    findOrAddNamed: (name: string) => findOrAdd(`named\0${name}`, { parent: undefined, names: [name] }),
    /** Adds a photo to an album, and returns its place there. */
    addPhoto(album: number): AlbumPlace {
      return { album, position: albums[album]!.photos++ };
    },
  };

  /** Returns the index of the album of a folder, whose names lead there from the top. */
  function findOrAddFolder(folders: SourceFolder[]): number | undefined {
    const shown = folders.slice(0, maxDepth);
    let parent: number | undefined;
    for (const folder of shown) {
      const { takeoutAlbum, lightwell } = findings.get(folder) ?? {};
      const key = `${parent ?? ''}\0${folder.name}`;
      parent = findOrAdd(key, {
        parent,
        names: [takeoutAlbum?.title ?? '', folder.name],
        description: takeoutAlbum?.description,
        json: lightwell?.get('album'),
      });
    }
    return parent;
  }

  function findOrAdd(key: string, { parent, names, description = '', json }: AlbumToAdd): number {
    const known = indexByKey.get(key);
    // The folder of trashed photos can name an album before the folder of the album.
    if (known !== undefined) albums[known]!.json ??= json;
    if (known !== undefined) return known;
    const wanted = names.map((name) => name.trim()).filter(Boolean);
    const isFree = (name: string) => !usedNames.has(`${parent ?? ''}\0${foldName(name)}`);
    const name = wanted.find(isFree) ?? wanted[0] ?? '';
    usedNames.add(`${parent ?? ''}\0${foldName(name)}`);
    const album = {
      name: chooseAlbumName(name),
      description: cleanDescription(description),
      parent,
      json,
      photos: 0,
    };
    indexByKey.set(key, albums.push(album) - 1);
    return albums.length - 1;
  }
}

interface AlbumToAdd {
  parent: number | undefined;
  /** Names in the order of preference. */
  names: string[];
  description?: string | undefined;
  json?: SourceFileOfAlbum;
}

type SourceFileOfAlbum = PlannedAlbum['json'];
