/** Comparison of an album in an answer with the model. */
import {
  type Context,
  compareCount,
  compareValues,
  type Difference,
  findFirst,
  listLabels,
} from './check.ts';
import { findCover, listCovers, listPhotosIn, presentLevel, type Rights } from './decide.ts';
import { albumLevel } from './levels.ts';
import type { Stage } from './stage.ts';
import type { Album, Photo, Viewer } from './state.ts';

export interface AlbumItem {
  id: number;
  name: string;
  photo_count: number;
  cover: string;
  visibility: string;
  is_public: number;
  effective_visibility: string;
}

export function compareAlbum(
  context: Context,
  viewer: Viewer,
  { photo_count, cover, visibility, is_public, effective_visibility }: AlbumItem,
  album: Album,
  rights: Rights,
): Difference | undefined {
  const { state, stage } = context;
  const count = listPhotosIn(state, viewer, album, rights).length;
  const covers = listCovers(state, viewer, album, rights);
  return findFirst(
    compareCount(context, `photo_count of ${album.label}`, photo_count, count),
    compareCover(stage, `the cover of ${album.label}`, cover, covers, findCover(album, covers)),
    compareValues(
      `the level of ${album.label}`,
      { visibility, is_public, effective_visibility },
      { ...presentLevel(album), effective_visibility: albumLevel(state, album) },
    ),
  );
}

/** Compares a cover. One that is not among the allowed photos shows something hidden. */
export function compareCover(
  { thumbs }: Stage,
  what: string,
  cover: string,
  allowed: Photo[],
  wanted: Photo | undefined,
): Difference | undefined {
  const path = cover.split('?')[0]!;
  const shown = cover === '' ? undefined : ([...thumbs].find(([, thumb]) => thumb === path)?.[0] ?? path);
  if (shown !== undefined && !listLabels(allowed).includes(shown))
    return { text: `${what} is ${shown}`, isLeak: true };
  return compareValues(what, shown, wanted?.label);
}
