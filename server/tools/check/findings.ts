/** Kinds of findings, and the interface of a check. */
import type { Deps } from '../../deps.ts';

/** Texts for people by kind of finding. `--json` prints the kind itself. */
export const findingKinds = {
  'original-missing': 'the original is missing',
  'original-damaged': 'the original is not what was uploaded',
  'image-missing': 'an edited image is missing',
  'image-damaged': 'an edited image is damaged',
  'rendition-missing': 'a rendition is missing',
  'rendition-damaged': 'a rendition is damaged',
  'avatar-missing': 'an avatar is missing',
  'image-row-missing': 'a photo names an image that no row describes',
  'preview-differs': 'a photo says another format of its preview than its image',
  'object-without-row': 'an object belongs to nothing',
  'removal-held': 'the sweep does not remove what it would, until a person has looked',
  'live-removal': 'an object that is in use is marked for removal',
  'removals-overdue': 'removals are overdue: no sweep carries them out',
  'trash-overdue': 'photos are in the trash for longer than thirty days: no sweep ends them',
  'counter-drifted': 'a counter drifted from what it counts',
  'total-drifted': 'a kept total drifted from what it counts',
  'smart-album-filled': 'photos or albums are in a smart album',
  'rule-unreadable': 'the rule of a smart album cannot be read: it finds nothing',
  'visibility-wrong': 'a visibility does not follow from what album and photo say',
  'tags-differ': "the tags' rows differ from the photo's tags",
  'search-differs': 'the search index does not hold the photo as it is',
  'database-damaged': 'the database is damaged',
} as const;

export type FindingKind = keyof typeof findingKinds;

/** An inconsistency that two reads have confirmed. */
export interface Finding {
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

export interface Progress {
  /** Starts a new part of the check with `total` items, or undefined if their number is unknown. */
  begin(part: string, total?: number): void;
  step(items: number): void;
}

export interface Round {
  deps: Deps;
  /** True if only sizes of objects are compared, not their contents. */
  isFast: boolean;
  /** Number of objects to read or photos to render in parallel. */
  jobs: number;
  progress: Progress;
  /** Reports a finding, and repairs it if a repair is requested. */
  report(finding: Finding): Promise<void>;
}
