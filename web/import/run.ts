/**
 * Carries out the plan of an import: three photos at a time, in the order of the plan. The import pauses while the
 * gallery cannot take photos, and goes on where it stopped.
 */
import type { ImportPlan, PlannedPhoto } from '../../server/tools/exchange/plan/plan.ts';
import { createReceipt, type PhotoOutcome, type Receipt } from '../../server/tools/exchange/plan/receipt.ts';
import { createPlannedAlbums } from './albums.ts';
import { createImportGate, type ImportPause } from './gate.ts';
import { createPlacer } from './places.ts';
import type { ImportCalls } from './queries.ts';
import type { Scan, ScannedPhoto } from './scan.ts';
import { createPhotoImport, type ImportChoice, type Sending, stoppedImport } from './single-photo.ts';
import type { ImportSources } from './sources.ts';

const maxConcurrent = 3;

export type ImportRun = ReturnType<typeof createImportRun>;

export interface ImportProgress {
  state: 'running' | 'filling' | 'done' | 'stopped';
  pause: ImportPause | undefined;
  imported: number;
  duplicate: number;
  refused: number;
  /** Bytes of the photos that are done or partly sent. */
  bytes: number;
  /** Paths of the files that are being sent. */
  current: string[];
}

export function createImportRun(options: {
  plan: ImportPlan;
  sources: ImportSources;
  scan: Scan;
  calls: ImportCalls;
  choice: ImportChoice;
  maxBytes: number;
  onChange(): void;
  /** Called when nothing is sent any more. `isComplete` is false if the user has stopped the import. */
  onEnd(isComplete: boolean): void;
}) {
  const { plan, sources, scan, calls, choice, maxBytes, onChange, onEnd } = options;
  const receipt = createReceipt(plan);
  const albums = createPlannedAlbums({
    plan,
    read: sources.read,
    base: choice.album,
    level: choice.level,
    calls,
  });
  const placer = createPlacer(plan, albums, calls, choice.album);
  const sending: Sending = new Map();
  /** The outcomes of photos by their checksums, because several files may have the same bytes. */
  const byContent = new Map<string, { photo: PlannedPhoto; outcome: Promise<PhotoOutcome> }>();
  const counts = { imported: 0, duplicate: 0, refused: 0 };
  let state: ImportProgress['state'] = 'running';
  let [next, doneBytes] = [0, 0];
  const gate = createImportGate({
    onClose() {
      for (const { upload } of sending.values()) upload?.stop(false);
    },
    onChange,
  });
  const importPhoto = createPhotoImport({
    ...{ sources, calls, albums, choice, maxBytes, gate, sending, onChange },
    isRunning: () => state === 'running',
  });

  async function work(): Promise<void> {
    while (state === 'running' && next < plan.photos.length) {
      const index = next++;
      const photo = plan.photos[index]!;
      const scanned = await scan.wait(index).catch(() => undefined);
      if (!scanned || state !== 'running') return;
      const outcome = await importOnce(photo, scanned);
      if (!outcome) return;
      record(photo, outcome);
    }
  }

  /** Returns undefined if the import was stopped before the photo was sent. */
  async function importOnce(photo: PlannedPhoto, scanned: ScannedPhoto): Promise<PhotoOutcome | undefined> {
    const twin = byContent.get(scanned.sha256);
    if (twin && !scanned.refusal) {
      const first = await twin.outcome.catch(() => undefined);
      if (first && first.outcome !== 'refused') {
        return { ...first, outcome: 'duplicate', reason: sameFileReason, other: twin.photo.file };
      }
    }
    const outcome = importPhoto(photo, scanned);
    byContent.set(scanned.sha256, { photo, outcome });
    return outcome.catch((error: unknown) => {
      if (error === stoppedImport) return undefined;
      throw error;
    });
  }

  function record(photo: PlannedPhoto, outcome: PhotoOutcome): void {
    receipt.add(photo, outcome);
    counts[outcome.outcome]++;
    doneBytes += photo.file.bytes;
    if (outcome.photoId !== undefined) placer.add(photo, outcome.photoId, outcome.outcome === 'imported');
    onChange();
  }

  async function run(): Promise<void> {
    await Promise.all(Array.from({ length: maxConcurrent }, work));
    if (state === 'running') state = 'filling';
    onChange();
    await placer.fill(gate);
    if (state === 'filling') state = 'done';
    calls.finish();
    listening.abort();
    onEnd(state === 'done');
  }

  const goOn = () => {
    if (gate.pause() === 'offline' || gate.pause() === 'unreachable') gate.open();
  };
  const listening = new AbortController();
  window.addEventListener('offline', () => gate.close('offline'), { signal: listening.signal });
  window.addEventListener('online', goOn, { signal: listening.signal });

  return {
    receipt: (): Receipt => receipt,
    start: () => void run(),
    progress: (): ImportProgress => ({
      state,
      pause: gate.pause(),
      ...counts,
      bytes: [...sending.values()].reduce((sum, { sent }) => sum + sent, doneBytes),
      current: [...sending.keys()].map(({ file }) => file.path),
    }),
    hold: () => gate.close('held'),
    resume: () => gate.open(),
    /** Ends the import. Photos that have arrived stay, and the receipt names the others. */
    stop(): void {
      if (state !== 'running') return;
      state = 'stopped';
      scan.stop();
      for (const { upload } of sending.values()) upload?.stop(true);
      gate.release();
      onChange();
    },
  };
}

const sameFileReason = 'The same bytes as another file of the source';
