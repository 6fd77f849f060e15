/** Imports the photos of folders and ZIPs for one user. After an interruption, another run continues the import. */
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { maxAlbumDepth } from '../../../gallery/library/tree.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { retryForSeconds } from '../../../platform/db/retry.ts';
import { updatePlannerStatistics } from '../../../platform/db/statistics.ts';
import { EditError } from '../../../platform/imaging/errors.ts';
import { type ImportPlan, type PlannedPhoto, planImport } from '../plan/plan.ts';
import { createReceipt, type PhotoOutcome, type Receipt } from '../plan/receipt.ts';
import type { SourceFile } from '../plan/source-file.ts';
import { importAccount } from './account.ts';
import { createAlbumImporter, type ImportAlbumOptions } from './albums.ts';
import { createEarlierImport } from './earlier.ts';
import { createImportFile, type ImportedFile } from './file.ts';
import { createAlbumOrder } from './order.ts';
import { describeImportRefusal, isBusy, isOutOfSpace } from './refusals.ts';
import type { ImportSources } from './source.ts';

export interface ImportOptions extends Omit<ImportAlbumOptions, 'read'> {
  sources: ImportSources;
  jobs: number;
  onStep(): void;
}

export interface ImportSummary {
  receipt: Receipt;
  /** Number of new albums. */
  albums: number;
  /** Albums and account files that could not be imported, at most ten thousand. */
  problems: { path: string; reason: string }[];
  /** Reason why the import stopped early, or undefined. */
  stopped: string | undefined;
}

const maxProblems = 10_000;

/** An earlier import may have ended before it moved the photo to the trash, or its owner restored the photo. */
export const leftReason = 'In the trash of the source, but in the library here';

/** Decides what becomes of each file of the sources. `above` has the names of the albums above all others. */
export function planSources({ files, read }: ImportSources, above: string[]): Promise<ImportPlan> {
  return planImport(files, read, { maxDepth: Math.max(maxAlbumDepth - above.length, 0) });
}

/** Carries out a plan. Throws an error if the database or the storage is unreachable for a long time. */
export async function importAllFiles(
  deps: Deps,
  viewer: Viewer,
  options: ImportOptions,
): Promise<ImportSummary> {
  const { plan, sources, isDryRun } = options;
  const albumOptions = { ...options, read: sources.read };
  const albums = createAlbumImporter(deps, viewer, albumOptions);
  const receipt = createReceipt(plan);
  const summary: Omit<ImportSummary, 'albums'> = { receipt, problems: [], stopped: undefined };
  const importFile = createImportFile(deps, viewer, { ...albumOptions, albums });
  const storeOrder = createAlbumOrder(deps, viewer, plan, albums);

  try {
    await inParallel(plan.photos, options.jobs, importPhoto);
    if (!isDryRun) await finish();
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
    summary.stopped = (error as Error).message;
  }
  return { ...summary, albums: albums.made };

  async function importPhoto(photo: PlannedPhoto): Promise<void> {
    const result = await retryForSeconds(() => importFile(photo), isBusy).catch((error: unknown) => {
      receipt.add(photo, describeFailure(error));
      return undefined;
    });
    if (result) receipt.add(photo, describeResult(result));
    if (!isDryRun) await storeOrder(photo, result);
    options.onStep();
  }

  async function finish(): Promise<void> {
    for (const [index, { json }] of plan.albums.entries()) {
      if (json) await attempt(json, () => albums.getId(index));
    }
    await albums.finish();
    if (plan.account) {
      await attempt(plan.account, () => importAccount(deps, viewer.id, plan, sources));
    }
    const complete = createEarlierImport(deps, viewer, sources.read);
    for (const planned of plan.apart) await attempt(planned.file, () => complete(planned));
    await updatePlannerStatistics(deps.db, { isBulk: true });
  }

  async function attempt({ path }: SourceFile, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const reason = describeImportRefusal(error);
      if (reason === undefined) throw error;
      if (summary.problems.length < maxProblems) summary.problems.push({ path, reason });
    }
  }
}

function describeResult({ isNew, photoId, sameAs, isLeftInLibrary }: ImportedFile): PhotoOutcome {
  if (isNew) return { outcome: 'imported', reason: '', photoId, other: undefined };
  const presentReason = sameAs ? 'The source has these bytes twice' : 'The user has this photo';
  const reason = isLeftInLibrary ? leftReason : presentReason;
  return { outcome: 'duplicate', reason, photoId, other: sameAs };
}

/** Throws errors that are not about the file. */
function describeFailure(error: unknown): PhotoOutcome {
  const reason = describeImportRefusal(error);
  if (reason === undefined) throw error;
  const outcome = error instanceof EditError ? 'imported' : 'refused';
  return { outcome, reason, photoId: undefined, other: undefined };
}
