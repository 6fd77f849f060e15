/** Positions in a list: the destination of a moved photo, and the list after the move. */

/** Destination of a moved photo, given by a neighboring photo: indexes may change while the user drags. */
export type PhotoMoveDestination = 'start' | 'end' | { before: number } | { after: number };

interface PhotoReference {
  id: number;
}

/** Returns the photo's index after the move, or -1 if the neighboring photo is not in the list. */
export function findDestinationIndex(
  photos: PhotoReference[],
  from: number,
  to: PhotoMoveDestination,
): number {
  if (to === 'start') return 0;
  if (to === 'end') return photos.length - 1;
  const isBefore = 'before' in to;
  const beside = photos.findIndex(({ id }) => id === (isBefore ? to.before : to.after));
  if (beside === -1) return -1;
  const place = isBefore ? beside : beside + 1;
  return from !== -1 && from < place ? place - 1 : place;
}

export function moveArrayItem<Item>(items: Item[], from: number, to: number): Item[] {
  return items.toSpliced(from, 1).toSpliced(to, 0, items[from]!);
}
