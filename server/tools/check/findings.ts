/** Kinds of findings, and the interface of a check. */
import type { Deps } from '../../deps.ts';

/** Texts for people by kind of finding. `--json` prints the kind itself. */
export const findingTexts = {
  'original-missing': 'the original is missing',
  'original-damaged': 'the original differs from the uploaded file',
  'image-missing': 'an edited image is missing',
  'image-damaged': 'an edited image is damaged',
  'rendition-missing': 'a rendition is missing',
  'rendition-damaged': 'a rendition is damaged',
  'avatar-missing': 'an avatar is missing',
  'image-row-missing': 'a photo refers to an image that has no row',
  'preview-differs': 'a photo has another preview format than its image',
  'object-without-row': 'an object has no row in the database',
  'removal-held': 'the deletion lock stops deletions until an operator releases it',
  'live-removal': 'a removal names an object in use',
  'removals-overdue': 'removals are overdue: no maintenance run carries them out',
  'trash-overdue': 'photos are in the trash for longer than thirty days: no maintenance run deletes them',
  'counter-drifted': 'a counter differs from what it counts',
  'total-drifted': 'a total differs from what it counts',
  'smart-album-filled': 'a smart album contains photos or albums',
  'album-photo-wrong': "an album's row of a photo does not match the photo",
  'rule-unreadable': 'the rule of a smart album is invalid, so it finds nothing',
  'visibility-wrong': "the visibility does not match the album and the photo's own setting",
  'tags-differ': "the rows of tags differ from the photo's tags",
  'metadata-row-wrong': 'the row for what the file of a photo says is missing or invalid',
  'search-differs': 'the search index differs from the photo',
  'database-damaged': 'the database is damaged',
} as const;

export type FindingKind = keyof typeof findingTexts;

/** An inconsistency that two reads have confirmed. */
export interface CheckFinding {
  kind: FindingKind;
  /** Subject of the finding, like `photo 12`, `user 3` or the name of an object. */
  subject: string;
  /** Details of the finding in one line, or '' if its kind says everything. */
  detail: string;
  /**
   * Repairs the finding, or is undefined if no repair is possible. The repair checks again under a lock, and returns
   * false if it changed nothing.
   */
  repair?: () => Promise<boolean>;
}

export interface CheckProgress {
  /** Starts a new part of the check with `total` items, or undefined if their number is unknown. */
  begin(part: string, total?: number): void;
  step(items: number): void;
}

export interface CheckContext {
  deps: Deps;
  /** True if only sizes of objects are compared, not their contents. */
  isFast: boolean;
  /** Number of objects to read or photos to render in parallel. */
  jobs: number;
  progress: CheckProgress;
  /** Reports a finding, and repairs it if a repair is requested. */
  report(finding: CheckFinding): Promise<void>;
}
