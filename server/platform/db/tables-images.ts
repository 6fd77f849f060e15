/** Rows of the versions of photos' pictures, and of the edits that made them. */
import type { Generated } from 'kysely';

/**
 * One version of a photo's picture: the original, or what its edits made of it.
 * The row is what ties an unguessable key in a URL to the photo whose visibility decides.
 */
export interface ImagesTable {
  key: string;
  photo_id: number;
  /** 'original' or 'edit'. */
  kind: string;
  /** Id of the last step this version contains; null for the original. */
  edit_id: number | null;
  /** Of the file at `path`: jpg, png, gif, webp, avif, tiff, heic. */
  extension: string;
  mime: string;
  width: number;
  height: number;
  /** Bytes of the file at `path`. */
  size: number;
  /** Extensions of the renditions; `full_extension` is '' where the version has no `full`. */
  preview_extension: string;
  full_extension: string;
  /** JSON: the parts of the clean copy (platform/imaging/clean/clean.ts), null when `full` serves instead. */
  clean_parts: string | null;
  /** 1, or more for an animation. */
  frames: number;
  placeholder: string;
  create_time: number;
  /** Set when another version has replaced this one: the sweep removes it after this time. */
  expire_time: number | null;
  /** Of an original that an edit has replaced: from then on it is for its owner and admins alone. */
  private_time: Generated<number | null>;
  /** Which sizes were made of it on demand, a bit each; see gallery/delivery/sizes.ts. */
  sizes: Generated<number>;
  /** Bits of the sizes that have more bytes than the file at `path`: not stored, and not rendered again (ADR 50). */
  oversized: Generated<number>;
  /** Bytes of `full` that its owner is charged for beside the file and the allowance; 0 for nearly every photo. */
  overhead: Generated<number>;
}

export interface EditsTable {
  id: Generated<number>;
  photo_id: number;
  action: string;
  /** JSON object. */
  params: string;
  create_time: number;
}

/** Objects to delete from storage, written in the transaction that made them superfluous. */
export interface RemovalsTable {
  object: string;
  due_time: number;
}
