/** Keys that were pressed at a tile before anybody heard them: pressed again once somebody does. */

export interface EarlyKey {
  tile: HTMLElement;
  key: string;
  shiftKey: boolean;
}

/**
 * Each where it was pressed, or where those before it led. Who had gone on to another tile by Tab or a click finds the
 * focus there again.
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
