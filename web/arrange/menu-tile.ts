/** The photo whose menu is shown, and the position of that menu. */
export interface TileWithMenu {
  id: number;
  name: string;
  /** Upper right corner of the tile, in pixels of the page. */
  right: number;
  top: number;
}

export function findTileWithMenu(target: EventTarget | null): TileWithMenu | undefined {
  const tile = target instanceof Element ? target.closest<HTMLElement>('.tile[data-id]') : null;
  if (!tile) return undefined;
  const { right, top } = tile.getBoundingClientRect();
  return {
    id: Number(tile.dataset.id),
    name: tile.querySelector('img')?.alt ?? '',
    right: right + window.scrollX,
    top: top + window.scrollY,
  };
}
