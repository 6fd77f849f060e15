/** The parts of a plan. */
import type { ICloudFacts } from './icloud.ts';
import type { SourceFile } from './source-file.ts';

export interface PlannedPhoto {
  file: SourceFile;
  /** Albums of the photo, the main album first, and the position of the photo in each. */
  albums: AlbumPlace[];
  /** JSON file of Takeout or of an export of Lightwell that describes the photo. */
  json: SourceFile | undefined;
  /** Whether the photo is an edited copy, and the JSON describes its original. */
  isJsonOfOriginal: boolean;
  xmp: SourceFile | undefined;
  icloud: ICloudFacts | undefined;
  /** Whether the photo is in the trash of its source. */
  isTrashed: boolean;
}

export interface AlbumPlace {
  /** Index in `ImportPlan.albums`. */
  album: number;
  position: number;
}

export interface PlannedAlbum {
  name: string;
  description: string;
  /** Index of the album that contains this album, which is smaller than the index of this album. */
  parent: number | undefined;
  /** The `album.json` of an export of Lightwell. Such an album is created even without photos. */
  json: SourceFile | undefined;
  /** Number of photos in the plan that this album contains. */
  photos: number;
}

export type OtherOutcome = 'sidecar' | 'album' | 'ignored' | 'refused';

/** A file that is no photo. */
export interface PlannedFile {
  file: SourceFile;
  outcome: OtherOutcome;
  /** Sentence without a period, or '' for a sidecar. */
  reason: string;
  /** The photo that a sidecar describes. */
  describes?: SourceFile;
}

export interface ImportPlan {
  /** Photos in the order of the import. */
  photos: PlannedPhoto[];
  albums: PlannedAlbum[];
  others: PlannedFile[];
  /** JSON files of Takeout among `others` whose photos may come from an earlier import. */
  apart: PlannedFile[];
  /** The `account.json` of an export of Lightwell. */
  account: SourceFile | undefined;
  /** The avatar of an export of Lightwell. */
  avatar: SourceFile | undefined;
}
