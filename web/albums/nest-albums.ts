/** Groups a flat list of albums into a tree. */
import type { Album } from '../api/types.ts';

export interface NestedAlbum {
  album: Album;
  /** All descendants, each after its parent. Level 1 is a direct sub-album. */
  inner: { album: Album; level: number }[];
}

/** Keeps the given order. An album whose parent is not in the list stands at the top level. */
export function nestAlbums(albums: Album[]): NestedAlbum[] {
  const known = new Set(albums.map(({ id }) => id));
  const within = Map.groupBy(albums, ({ parent_id }) => (known.has(parent_id) ? parent_id : 0));
  const collectInner = (id: number, level: number): NestedAlbum['inner'] =>
    (within.get(id) ?? []).flatMap((album) => [{ album, level }, ...collectInner(album.id, level + 1)]);
  return (within.get(0) ?? []).map((album) => ({ album, inner: collectInner(album.id, 1) }));
}
