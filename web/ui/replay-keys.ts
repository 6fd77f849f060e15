/** Replays keys that were pressed on a tile before the script for tiles was loaded. */

export interface EarlyKey {
  tile: HTMLElement;
  key: string;
  code: string;
  shiftKey: boolean;
}

/**
 * Dispatches each key on the tile where the key was pressed, or where earlier keys moved the focus. If the
 * user has focused another tile meanwhile, the focus returns there.
 */
export function replayKeys(kept: EarlyKey[]): void {
  const was = document.activeElement as HTMLElement | null;
  let at: Element | null = null;
  for (const { tile, ...key } of kept) {
    if (tile !== at) tile.focus({ preventScroll: true });
    at = tile;
    const event = new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }
  if (at && at !== was) was?.focus({ preventScroll: true });
}
