/** What lies over a wall (the viewer) knows of it. */
import { createContext, useContext } from 'react';
import type { AlbumDetail } from '../../api/types.ts';
import type { PhotoList } from '../queries.ts';

interface WallContextValue {
  list: PhotoList;
  /** Whose photos these are, where one may put them in order. */
  album: AlbumDetail | undefined;
  /** The wall's own address, and that of a photo over it. */
  href: string;
  hrefOf(id: number): string;
  /** Brings a photo into the window. */
  reveal(index: number, id: number): void;
}

export const WallContext = createContext<WallContextValue | undefined>(undefined);

export function useWallContext(): WallContextValue {
  const wall = useContext(WallContext);
  if (!wall) throw new Error('there is no wall around this');
  return wall;
}
