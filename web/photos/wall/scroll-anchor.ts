/** Stores a wall's scroll position for each history entry: a photo and its distance from the window's top. */
export interface ScrollAnchor {
  index: number;
  id: number;
  offset: number;
}

const anchorKey = (entry: string) => `lightwell-place:${entry}`;

export function saveScrollAnchor(entry: string, place: ScrollAnchor): void {
  try {
    sessionStorage.setItem(anchorKey(entry), JSON.stringify(place));
  } catch {
    // If storage is missing or full, Back opens the wall at its top.
  }
}

export function removeScrollAnchor(entry: string): void {
  try {
    sessionStorage.removeItem(anchorKey(entry));
  } catch {
    // Without storage there is no anchor.
  }
}

export function readScrollAnchor(entry: string): ScrollAnchor | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(anchorKey(entry)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
