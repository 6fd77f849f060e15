/** The receipt of an import: what became of each file of the sources. The sums add up. */
import { formatCsvRow } from './csv.ts';
import type { ImportPlan, PlannedPhoto } from './planned.ts';
import type { SourceFile } from './source-file.ts';

export type Outcome = 'imported' | 'duplicate' | 'sidecar' | 'album' | 'ignored' | 'refused';

export interface ReceiptLine {
  file: SourceFile;
  outcome: Outcome;
  /** Sentence without a period, or ''. */
  reason: string;
  /** Id of the photo that the file became, or that was there before. */
  photoId: number | undefined;
  /** File that a sidecar describes, or the first file with the same bytes. */
  other: SourceFile | undefined;
}

export type PhotoOutcome = Pick<ReceiptLine, 'reason' | 'photoId' | 'other'> & {
  outcome: 'imported' | 'duplicate' | 'refused';
};

export interface ReceiptReason {
  outcome: Outcome;
  reason: string;
  count: number;
}

export type Receipt = ReturnType<typeof createReceipt>;

const notReached = 'The import stopped before this file; run the import again';

export function createReceipt(plan: ImportPlan) {
  const outcomes = new Map<PlannedPhoto, PhotoOutcome>();

  return {
    /** Records what became of a photo. */
    add: (photo: PlannedPhoto, outcome: PhotoOutcome) => void outcomes.set(photo, outcome),
    /** Yields a line for each file of the sources. */
    lines,
    /** Returns the number of files by their outcome. */
    count(): Record<Outcome, number> {
      const counts = { imported: 0, duplicate: 0, sidecar: 0, album: 0, ignored: 0, refused: 0 };
      for (const { outcome } of lines()) counts[outcome]++;
      const sum = Object.values(counts).reduce((one, other) => one + other, 0);
      const expected = plan.photos.length + plan.others.length;
      if (sum !== expected) throw new Error(`The receipt has ${sum} of ${expected} files`);
      return counts;
    },
    /** Returns the number of files by their reason, the most frequent first. */
    countReasons(): ReceiptReason[] {
      const counts = new Map<string, ReceiptReason>();
      for (const { outcome, reason } of lines()) {
        const key = `${outcome} ${reason}`;
        const counted = counts.get(key) ?? { outcome, reason, count: 0 };
        counted.count++;
        counts.set(key, counted);
      }
      return [...counts.values()].sort((one, other) => other.count - one.count);
    },
  };

  function* lines(): Generator<ReceiptLine> {
    for (const photo of plan.photos) {
      const outcome = outcomes.get(photo);
      yield outcome
        ? { file: photo.file, ...outcome }
        : { file: photo.file, outcome: 'refused', reason: notReached, photoId: undefined, other: undefined };
    }
    for (const { file, outcome, reason, describes } of plan.others) {
      yield { file, outcome, reason, photoId: undefined, other: describes };
    }
  }
}

/** Yields the lines of the receipt as CSV, with a head. `sources` has the names of the sources by their index. */
export function* formatReceipt(receipt: Receipt, sources: string[]): Generator<string> {
  // The mark tells spreadsheets that the text is UTF-8.
  yield `\ufeff${formatCsvRow(['source', 'file', 'outcome', 'reason', 'other file', 'photo'])}`;
  for (const { file, outcome, reason, other, photoId } of receipt.lines()) {
    yield formatCsvRow([
      sources[file.source] ?? '',
      file.path,
      outcome,
      reason,
      other?.path ?? '',
      photoId ?? '',
    ]);
  }
}
