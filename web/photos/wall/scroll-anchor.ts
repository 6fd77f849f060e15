/** Where a wall stood, for each entry of the browser's history: a photo and how far it was from the window's top. */
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
    // Without storage, or with a full one, Back leads to the top.
  }
}

export function readScrollAnchor(entry: string): ScrollAnchor | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(anchorKey(entry)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
