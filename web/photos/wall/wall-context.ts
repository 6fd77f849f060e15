/** Data of a wall for components above the wall, such as the viewer. */
import { createContext, useContext } from 'react';
import type { AlbumDetail } from '../../api/types.ts';
import type { PhotoList } from '../queries.ts';

interface WallContextValue {
  list: PhotoList;
  /** Album of the photos, if the viewer can sort them. */
  album: AlbumDetail | undefined;
  /** `href` is the wall's URL; `getHref` returns the URL of a photo above the wall. */
  href: string;
  getHref(id: number): string;
  /** Scrolls a photo into the window. */
  reveal(index: number, id: number): void;
}

export const WallContext = createContext<WallContextValue | undefined>(undefined);

export function useWallContext(): WallContextValue {
  const wall = useContext(WallContext);
  if (!wall) throw new Error('there is no wall around this');
  return wall;
}
