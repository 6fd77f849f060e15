/** Table rows for image versions, and for the edits that created the versions. */
import type { Generated } from 'kysely';

/**
 * An image version: the original of a photo or the result of edits. The row connects an unguessable key in a URL to the
 * photo whose visibility decides access.
 */
export interface ImagesTable {
  key: string;
  photo_id: number;
  /** Kind of the image version: 'original' or 'edit'. */
  kind: string;
  /** Id of the last edit step in this image version. Null for the original. */
  edit_id: number | null;
  /** Extension of the file of this image version: jpg, png, gif, webp, avif, tiff or heic. */
  extension: string;
  mime: string;
  width: number;
  height: number;
  /** Number of bytes of the file of this image version. */
  size: number;
  /**
   * Extensions of the renditions `preview` and `full`. `full_extension` is empty if the image version has no `full`
   * rendition.
   */
  preview_extension: string;
  full_extension: string;
  /**
   * Parts of the clean copy as JSON (`platform/imaging/clean/clean.ts`). Null if the `full` rendition replaces the
   * clean copy.
   */
  clean_parts: string | null;
  /** Number of frames: 1, or more for an animation. */
  frames: number;
  placeholder: string;
  create_time: number;
  /** Time after which the maintenance run deletes this image version. Set when another version has replaced it. */
  expire_time: number | null;
  /** Time from which an original replaced by an edit is visible to its owner and admins only. */
  private_time: Generated<number | null>;
  /** Sizes that were rendered on demand, one bit each. See `gallery/delivery/sizes.ts`. */
  sizes: Generated<number>;
  /**
   * Sizes that would have more bytes than the file of this image version, one bit each. Such sizes are neither stored
   * nor rendered again (ADR 50).
   */
  oversized: Generated<number>;
  /**
   * Bytes of the `full` rendition that count against the quota in addition to the file and the allowance. 0 for nearly
   * every photo.
   */
  overhead: Generated<number>;
}

export interface EditsTable {
  id: Generated<number>;
  photo_id: number;
  action: string;
  /** Parameters of the edit as a JSON object. */
  params: string;
  create_time: number;
}

/**
 * Removals: objects to delete from the storage. A row is written in the transaction that makes its object unnecessary.
 */
export interface RemovalsTable {
  object: string;
  due_time: number;
}
