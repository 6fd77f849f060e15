/** Reads the whole gallery and reports what does not fit together; changes nothing unless it is asked to repair. */
import type { Deps } from '../../deps.ts';
import { checkSearch, checkTags } from './copies.ts';
import { checkCounters } from './counters.ts';
import type { Finding, FindingKind, Progress, Round } from './findings.ts';
import { checkAvatars, checkImages } from './images.ts';
import { checkOrphans } from './orphans.ts';
import { checkPreviews } from './previews.ts';
import { checkOverdue, checkRemovals } from './removals.ts';
import { checkSmartAlbums } from './smart-albums.ts';
import { checkTotals } from './totals.ts';
import { checkVisibility } from './visibility.ts';

export interface CheckOptions {
  isFast: boolean;
  isRepair: boolean;
  jobs: number;
  progress: Progress;
  /** Told of each finding, once it is known whether it was repaired. */
  onFinding(finding: Finding, isRepaired: boolean): void;
}

export interface Outcome {
  /** How many of each kind; those that were not found are left out. */
  found: Partial<Record<FindingKind, number>>;
  repaired: number;
  /** What is still wrong. */
  left: number;
}

/**
 * In this order: removals of what is in use end before overdue ones are carried out, albums and photos are made
 * visible as they should be before what counts them is counted.
 */
const parts: ((round: Round) => Promise<void>)[] = [
  checkDatabase,
  checkRemovals,
  checkOverdue,
  checkImages,
  checkPreviews,
  checkAvatars,
  checkOrphans,
  checkSmartAlbums,
  checkVisibility,
  checkTags,
  checkCounters,
  checkTotals,
  checkSearch,
];

/** Throws when database or storage cannot be read. The server may run meanwhile. */
export async function checkGallery(deps: Deps, options: CheckOptions): Promise<Outcome> {
  const outcome: Outcome = { found: {}, repaired: 0, left: 0 };
  const round: Round = {
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
  for (const check of parts) await check(round);
  return outcome;
}

/** What cannot be repaired now is still a finding, and the others are not held up. */
async function repair({ log }: Deps, { kind, subject, detail, repair }: Finding): Promise<boolean> {
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

export async function checkDatabase({ deps, isFast, progress, report }: Round): Promise<void> {
  progress.begin('the database');
  for (const detail of await deps.db.findDamage(isFast)) {
    await report({ kind: 'database-damaged', subject: 'database', detail });
  }
}
