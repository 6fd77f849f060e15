/** Albums under those that they are in. */
import type { Album } from '../api/types.ts';

export interface NestedAlbum {
  album: Album;
  /** All below it, each after the one that it is in; 1 for those directly in it. */
  inner: { album: Album; level: number }[];
}

/** In the order given. What is in an album that is not here stands at the top. */
export function nestAlbums(albums: Album[]): NestedAlbum[] {
  const known = new Set(albums.map(({ id }) => id));
  const within = Map.groupBy(albums, ({ parent_id }) => (known.has(parent_id) ? parent_id : 0));
  const collectInner = (id: number, level: number): NestedAlbum['inner'] =>
    (within.get(id) ?? []).flatMap((album) => [{ album, level }, ...collectInner(album.id, level + 1)]);
  return (within.get(0) ?? []).map((album) => ({ album, inner: collectInner(album.id, 1) }));
}
