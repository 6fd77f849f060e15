/**
 * Looks at the photos of a plan in their order, ahead of the import: checksum, duplicates, and what the sidecars say.
 * Each file is read once here, and a file that is not here already is read again when it is sent.
 */
import { type PhotoFacts, readPhotoFacts } from '../../server/tools/exchange/plan/facts.ts';
import type { ImportPlan, PlannedPhoto } from '../../server/tools/exchange/plan/plan.ts';
import { hashContent } from '../upload/sha256.ts';
import type { KnownFile } from './queries.ts';
import { describeReadFailure, type ImportSources } from './sources.ts';

/** Number of photos whose checksums may wait for the gallery at the same time. */
const maxAhead = 400;

export interface ScannedPhoto {
  sha256: string;
  known: KnownFile | undefined;
  /** Flags of the sidecars. Their texts are read again when the photo is sent, to save memory. */
  flags: Pick<PhotoFacts, 'isArchived' | 'isTrashed'>;
  /** Reason why the file cannot be read, or undefined. */
  refusal: string | undefined;
}

export interface ScanCounts {
  scanned: number;
  known: number;
  archived: number;
  trashed: number;
}

export type Scan = ReturnType<typeof createScan>;

export function createScan(options: {
  plan: ImportPlan;
  sources: ImportSources;
  findKnown(sha256: string): Promise<KnownFile | undefined>;
  onChange(): void;
}) {
  const { plan, sources, findKnown, onChange } = options;
  const results = plan.photos.map(() => Promise.withResolvers<ScannedPhoto>());
  const counts: ScanCounts = { scanned: 0, known: 0, archived: 0, trashed: 0 };
  let isStopped = false;
  for (const { promise } of results) promise.catch(() => {});

  async function run(): Promise<void> {
    const ahead = new Set<Promise<void>>();
    for (const [index, photo] of plan.photos.entries()) {
      if (isStopped) return;
      const content = await readContent(sources, photo);
      const done = complete(index, content).finally(() => ahead.delete(done));
      ahead.add(done);
      if (ahead.size >= maxAhead) await Promise.race(ahead);
    }
  }

  async function complete(index: number, content: Omit<ScannedPhoto, 'known'>): Promise<void> {
    // The gallery refuses a duplicate anyway, so a failed question only costs the bytes.
    const known = content.refusal ? undefined : await findKnown(content.sha256).catch(() => undefined);
    counts.scanned++;
    if (known?.photo_id) counts.known++;
    if (content.flags.isArchived) counts.archived++;
    if (content.flags.isTrashed) counts.trashed++;
    results[index]!.resolve({ ...content, known });
    onChange();
  }

  return {
    counts: (): Readonly<ScanCounts> => counts,
    start: () => void run(),
    /** Resolves when the photo with this index is scanned. */
    wait: (index: number): Promise<ScannedPhoto> => results[index]!.promise,
    stop(): void {
      isStopped = true;
      for (const { reject } of results) reject(new Error('The import was stopped'));
    },
  };
}

async function readContent(
  sources: ImportSources,
  photo: PlannedPhoto,
): Promise<Omit<ScannedPhoto, 'known'>> {
  const facts = await readPhotoFacts(photo, sources.read);
  const flags = { isArchived: facts.isArchived, isTrashed: isInTrash(facts) };
  try {
    const sha256 = await hashContent(photo.file.bytes, () => sources.open(photo.file));
    return { sha256, flags, refusal: undefined };
  } catch (error) {
    return { sha256: '', flags, refusal: describeReadFailure(error) };
  }
}

/** An export of Lightwell has the time when its owner deleted a photo. */
export function isInTrash({ isTrashed, exported }: Pick<PhotoFacts, 'isTrashed' | 'exported'>): boolean {
  return isTrashed || exported?.delete_time !== undefined;
}
