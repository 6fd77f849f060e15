/** Rules for the folders of other programs. */
import type { SourceFolder } from './source-file.ts';

/** A folder without a rule is an album. The folders above a `top` are no albums. */
export interface FolderRule {
  kind: 'no-album' | 'ignored' | 'trash' | 'top';
  /** Reason why the files of an ignored folder are not imported. */
  reason?: string;
}

export type FolderRules = Map<SourceFolder, FolderRule>;
