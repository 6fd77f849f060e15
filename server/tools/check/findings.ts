/** What a check can find, and what can be done about it. */
import type { Deps } from '../../deps.ts';

/** Kind → what a person reads. `--json` gives the kind. */
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

/** Something that is wrong, found twice. */
export interface Finding {
  kind: FindingKind;
  /** `photo 12`, `user 3`, or the name of an object. */
  subject: string;
  /** One line, '' where the kind says everything. */
  detail: string;
  /**
   * Puts it right; undefined where nothing of ours can. Looks again under a lock, and returns false when it is as it
   * was.
   */
  repair?: () => Promise<boolean>;
}

export interface Progress {
  /** Another part begins; `total` items, undefined when the number is unknown. */
  begin(part: string, total?: number): void;
  step(items: number): void;
}

export interface Round {
  deps: Deps;
  /** Sizes instead of contents. */
  isFast: boolean;
  /** Objects looked at, or photos rendered, at once. */
  jobs: number;
  progress: Progress;
  /** Reports a finding, and repairs it where that was asked for. */
  report(finding: Finding): Promise<void>;
}
