/** The reasons and results of a receipt in the reader's language. */
import type { ReceiptLine } from '../../server/tools/exchange/plan/receipt.ts';
import { getFileName } from '../../server/tools/exchange/plan/source-file.ts';
import { type MessageKey, t } from '../messages/messages.ts';

export const outcomes = ['imported', 'duplicate', 'refused', 'sidecar', 'album', 'ignored'] as const;
export type Outcome = (typeof outcomes)[number];

const outcomeKeys: Record<Outcome, MessageKey> = {
  imported: 'importOutcomeImported',
  duplicate: 'importOutcomeDuplicate',
  refused: 'importOutcomeRefused',
  sidecar: 'importOutcomeSidecar',
  album: 'importOutcomeAlbum',
  ignored: 'importOutcomeIgnored',
};

export const getOutcomeLabel = (outcome: Outcome): string => t(outcomeKeys[outcome]);

/** Beginnings of the sentences in a plan, which is in English for the command line and for CSV files. */
const reasonKeys: [RegExp, MessageKey][] = [
  [/^A (?:file|folder) of the system/, 'importReasonSystem'],
  [/^A folder of \w+ with copies|^A smaller copy/, 'importReasonCopies'],
  [/^Videos are not/, 'importReasonVideo'],
  [/^An archive in the source/, 'importReasonArchive'],
  [/^Only JPEG/, 'importReasonFormat'],
  [/^The film of/, 'importReasonLive'],
  [/^Edits that only/, 'importReasonApple'],
  [/^The page of contents/, 'importReasonContents'],
  [/^A further version/, 'importReasonVersion'],
  [/^Describes no photo/, 'importReasonUnmatched'],
  [/^Another file describes/, 'importReasonOther'],
  [/^An import does not read/, 'importReasonExport'],
  [/^A memory that/, 'importReasonMemory'],
  [/^A link, which|^Not an ordinary file/, 'importReasonLink'],
  [/^Describes the album/, 'importReasonAlbum'],
  [/^Describes the (?:account|export)|^The picture of the account/, 'importReasonAccount'],
  [/^Describes the photos or an album of iCloud/, 'importReasonICloud'],
  [/^The same bytes/, 'importReasonTwin'],
  [/^Already in your library/, 'importReasonPresent'],
  [/^In the trash of the source/, 'importReasonLeft'],
  [/^In the trash/, 'importReasonTrash'],
  [/^The import stopped before/, 'importReasonNotReached'],
];

export function localizeReason(reason: string): string {
  const known = reasonKeys.find(([pattern]) => pattern.test(reason));
  return known ? t(known[1]) : reason;
}

/** Returns the reason of a line, or the file that the line is about. */
export function describeLine({ outcome, reason, other }: ReceiptLine): string {
  const name = other && getFileName(other);
  if (name !== undefined && outcome === 'sidecar') return t('importDescribes', { name });
  if (name !== undefined && outcome === 'duplicate') return t('importSameAs', { name });
  return localizeReason(reason);
}
