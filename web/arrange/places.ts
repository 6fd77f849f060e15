/** Places in a list: where a photo is to go, and the list with it there. */

/** Beside another photo, as that is what one sees; places of a list may change meanwhile. */
export type Destination = 'start' | 'end' | { before: number } | { after: number };

interface PhotoReference {
  id: number;
}

/** Its place once it is there; -1 where the photo beside it is not in the list. */
export function findTargetIndex(photos: PhotoReference[], from: number, to: Destination): number {
  if (to === 'start') return 0;
  if (to === 'end') return photos.length - 1;
  const isBefore = 'before' in to;
  const beside = photos.findIndex(({ id }) => id === (isBefore ? to.before : to.after));
  if (beside === -1) return -1;
  const place = isBefore ? beside : beside + 1;
  return from !== -1 && from < place ? place - 1 : place;
}

export function moveItem<Item>(items: Item[], from: number, to: number): Item[] {
  return items.toSpliced(from, 1).toSpliced(to, 0, items[from]!);
}
