/** A photo of a wall, and where its menu stands. */
export interface Spot {
  id: number;
  name: string;
  /** The upper right corner, from the page's. */
  right: number;
  top: number;
}

export function spotIn(target: EventTarget | null): Spot | undefined {
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
