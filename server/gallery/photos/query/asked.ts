/** What is asked of photos by a query, and by whom. */
import type { Deps } from '../../../deps.ts';
import type { SearchScope } from '../../../platform/db/search.ts';
import type { Query } from './parse.ts';
import type { SmartAlbum } from './smart.ts';

/** What a read begins with: a part of a query that finds few photos, or the owner or album of few. */
export type Lead = Query | 'owner' | 'album';

export interface Asked {
  db: Pick<Deps['db'], 'search' | 'inTime' | 'isAmong' | 'hidden'>;
  /** 0 is anonymous. */
  viewerId: number;
  /** Photos of one visibility, of everybody or of one owner: the rows that are asked are among these. */
  scope: SearchScope;
  /** Photos are asked one by one, in the order of a list, rather than found: see `SearchIndex.matches`. */
  isTested: boolean;
  /** What photos are found by (`lead.ts`). From the planner it is hidden what else they could be found by. */
  lead?: Lead | undefined;
  /** Rows of texts stand for those of photos (`SearchTexts`). Then the lead is words. */
  isOfTexts?: boolean | undefined;
  /** Those that `album:` stands for what their rules find, by id. */
  smart?: ReadonlyMap<number, SmartAlbum>;
}
