/** Where a wall stood, for each entry of the browser's history: a photo and how far it was from the window's top. */
export interface WallPlace {
  index: number;
  id: number;
  offset: number;
}

const nameOf = (entry: string) => `lightwell-place:${entry}`;

export function rememberPlace(entry: string, place: WallPlace): void {
  try {
    sessionStorage.setItem(nameOf(entry), JSON.stringify(place));
  } catch {
    // Without storage, or with a full one, Back leads to the top.
  }
}

export function recallPlace(entry: string): WallPlace | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(entry)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
