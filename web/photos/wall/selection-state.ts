/** The state of a photo selection. The wall owns the state; code in `selection/` reads and changes it. */
import type { PhotoItem } from '../../api/types.ts';
import type { EarlyKey } from '../../ui/replay-keys.ts';

/** A photo and its index in the list. */
export interface ListedPhoto {
  index: number;
  photo: PhotoItem;
}

/** The part of the state that tiles show. */
export interface SelectionMarks {
  /** The user is signed in and can select. */
  isOffered: boolean;
  selected: ReadonlyMap<number, PhotoItem>;
  /** Photos that a running change removes from the list. */
  leaving: ReadonlySet<number>;
  /** Photos that cannot be selected. */
  taken: ReadonlySet<number>;
}

/** The purpose of a wall that only selects photos, for example to add them to an album. */
export interface PhotoPicker {
  /** Photos that cannot be selected. */
  taken: ReadonlySet<number>;
  /** Returns the label of the button in the bar of the selection. */
  getLabel(count: number): string;
  perform(photos: PhotoItem[]): void;
  isBusy: boolean;
}

export interface PhotoSelectionState {
  marks: SelectionMarks;
  /** The start of the next range. */
  anchor: ListedPhoto | undefined;
  /** The end of the range that the user asked for. */
  rangeEnd: ListedPhoto | undefined;
  setSelected(selected: ReadonlyMap<number, PhotoItem>, anchor?: ListedPhoto): void;
  setLeaving(leaving: ReadonlySet<number>): void;
  pick(spot: ListedPhoto, isRange: boolean): void;
  /** Section that the user asked for, as the index of its first photo and the number of photos. */
  wantedSection: { from: number; count: number } | undefined;
  pickSection(from: number, count: number): void;
  /** Returns keys that were pressed before `selection/` was loaded, each of them once. */
  readMissedKeys(): EarlyKey[];
}
