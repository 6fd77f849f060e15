/** Checks the whole gallery and reports inconsistencies. The check changes data only if a repair is requested. */
import type { Deps } from '../../deps.ts';
import { checkAlbumPhotos } from './album-photos.ts';
import { checkPhotoTags, checkSearch } from './copies.ts';
import { checkCounters } from './counters.ts';
import type { CheckContext, CheckFinding, CheckProgress, FindingKind } from './findings.ts';
import { checkAvatars, checkImages } from './images.ts';
import { checkPhotoMetadata } from './metadata.ts';
import { checkOrphans } from './orphans.ts';
import { checkPreviewFormats } from './previews.ts';
import { checkOverdueRemovals, checkRemovals } from './removals.ts';
import { checkSmartAlbums } from './smart-albums.ts';
import { checkTotals } from './totals.ts';
import { checkVisibility } from './visibility.ts';

export interface CheckOptions {
  isFast: boolean;
  isRepair: boolean;
  jobs: number;
  progress: CheckProgress;
  /** Callback for each finding, called when it is known whether the finding was repaired. */
  onFinding(finding: CheckFinding, isRepaired: boolean): void;
}

export interface CheckOutcome {
  /** Number of findings by kind. Kinds without findings are omitted. */
  found: Partial<Record<FindingKind, number>>;
  repaired: number;
  /** Number of findings that were not repaired. */
  left: number;
}

/**
 * Parts of the check in their order. Wrong removals are deleted before overdue removals run, and visibility is
 * corrected before the counters that depend on it.
 */
const checkParts: ((round: CheckContext) => Promise<void>)[] = [
  checkDatabase,
  checkRemovals,
  checkOverdueRemovals,
  checkImages,
  checkPreviewFormats,
  checkAvatars,
  checkOrphans,
  checkSmartAlbums,
  checkVisibility,
  checkAlbumPhotos,
  checkPhotoTags,
  checkPhotoMetadata,
  checkCounters,
  checkTotals,
  checkSearch,
];

/** Checks the gallery, also while the server runs. Throws an error if the database or the storage cannot be read. */
export async function checkGallery(deps: Deps, options: CheckOptions): Promise<CheckOutcome> {
  const outcome: CheckOutcome = { found: {}, repaired: 0, left: 0 };
  const round: CheckContext = {
    deps,
    isFast: options.isFast,
    jobs: options.jobs,
    progress: options.progress,
    async report(finding) {
      outcome.found[finding.kind] = (outcome.found[finding.kind] ?? 0) + 1;
      const isRepaired = options.isRepair && (await repair(deps, finding));
      if (isRepaired) outcome.repaired++;
      else outcome.left++;
      options.onFinding(finding, isRepaired);
    },
  };
  for (const check of checkParts) await check(round);
  return outcome;
}

/** Repairs a finding and returns true after success. A failed repair is logged and does not stop the check. */
async function repair({ log }: Deps, { kind, subject, detail, repair }: CheckFinding): Promise<boolean> {
  if (!repair) return false;
  try {
    const isRepaired = await repair();
    if (isRepaired) log.warn({ kind, subject, detail }, 'repaired');
    return isRepaired;
  } catch (error) {
    log.error({ err: error, kind, subject }, 'a repair failed');
    return false;
  }
}

export async function checkDatabase({ deps, isFast, progress, report }: CheckContext): Promise<void> {
  progress.begin('the database');
  for (const detail of await deps.db.findDamage(isFast)) {
    await report({ kind: 'database-damaged', subject: 'database', detail });
  }
}
