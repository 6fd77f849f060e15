/**
 * Imports one photo of a plan: skips what is here already, sends the others, and pauses the import while the gallery
 * cannot take photos.
 */
import { type PhotoFacts, readPhotoFacts } from '../../server/tools/exchange/plan/facts.ts';
import type { PlannedPhoto } from '../../server/tools/exchange/plan/plan.ts';
import type { PhotoOutcome } from '../../server/tools/exchange/plan/receipt.ts';
import { readRateLimit } from '../api/limit.ts';
import { sessionRenewal } from '../api/session-renewal.ts';
import type { VisibilityLevel } from '../api/types.ts';
import {
  checkFileLocally,
  describeUploadRefusal,
  toUploadFault,
  type UploadFault,
} from '../upload/faults.ts';
import type { ActiveUpload } from '../upload/send.ts';
import type { PlannedAlbums } from './albums.ts';
import type { ImportGate, ImportPause } from './gate.ts';
import type { ImportCalls } from './queries.ts';
import { isInTrash, type ScannedPhoto } from './scan.ts';
import { describeSidecars, sendPhoto } from './send.ts';
import { describeReadFailure, type ImportSources } from './sources.ts';
import { tryCall } from './try-call.ts';

const maxTries = 5;
const maxBackoffMs = 30_000;
const fullDiskWaitMs = 30_000;
/** Uploads wait for the next minute when so few calls of the rate limit are left. */
const reservedCalls = 12;

/** The photos that are being sent. */
export type Sending = Map<PlannedPhoto, { upload?: ActiveUpload; sent: number }>;

export interface ImportChoice {
  level: VisibilityLevel;
  /** Album that everything goes into, or 0. */
  album: number;
}

/** Number of failures of one photo that may pass. */
interface Tries {
  again: number;
  /** Whether the photo was sent before, so that the gallery may have it from this import. */
  isSent: boolean;
}

type Prepared =
  | PhotoOutcome
  | { fault: UploadFault }
  | { file: File; path: string; album: number | undefined };

/** The returned function throws `stoppedImport` if the import is stopped before the photo was sent. */
export function createPhotoImport(options: {
  sources: ImportSources;
  calls: ImportCalls;
  albums: PlannedAlbums;
  choice: ImportChoice;
  maxBytes: number;
  gate: ImportGate;
  sending: Sending;
  isRunning(): boolean;
  onChange(): void;
}) {
  const { sources, calls, albums, choice, maxBytes, gate, sending, isRunning, onChange } = options;
  let faultsInARow = 0;
  return importPhoto;

  async function importPhoto(photo: PlannedPhoto, scanned: ScannedPhoto): Promise<PhotoOutcome> {
    const { known, flags, refusal } = scanned;
    if (refusal) return refuse(refusal);
    if (known?.photo_id) {
      await complete(known.photo_id, photo, known.has_sidecar);
      return duplicate(known.photo_id, flags.isTrashed ? leftReason : presentReason);
    }
    if (flags.isTrashed && known?.trashed_id) return duplicate(undefined, inTrashReason);
    sending.set(photo, { sent: 0 });
    try {
      for (const tries = { again: 0, isSent: false }; ; ) {
        await gate.pass();
        if (!isRunning()) throw stoppedImport;
        const outcome = await attempt(photo, scanned, tries);
        if (outcome) return outcome;
      }
    } finally {
      sending.delete(photo);
    }
  }

  /** Returns undefined if the photo must be sent again. */
  async function attempt(photo: PlannedPhoto, { sha256, flags }: ScannedPhoto, tries: Tries) {
    const prepared = await prepare(photo, flags.isTrashed);
    if ('outcome' in prepared) return prepared;
    if ('fault' in prepared) return handleFault(prepared.fault, tries);
    const { file, path, album } = prepared;
    const facts = await readPhotoFacts(photo, sources.read);
    await gate.pass();
    if (!isRunning()) return undefined;
    const current = sending.get(photo)!;
    const wasSent = tries.isSent;
    tries.isSent = true;
    const result = await sendPhoto(
      { file, path, sha256, album, level: choice.level, facts },
      {
        onStart(upload) {
          current.upload = upload;
        },
        onProgress(sent) {
          current.sent = sent;
          if (sent > 0) faultsInARow = 0;
          onChange();
        },
        onResponse: pauseAtRateLimit,
      },
    );
    if (result.kind === 'stopped') return undefined;
    const isOwnPhoto = wasSent && result.kind === 'fault' && result.fault.kind === 'duplicate';
    if (result.kind === 'fault' && !isOwnPhoto) return handleFault(result.fault, tries);
    faultsInARow = 0;
    const photoId = result.kind === 'done' ? result.photo : undefined;
    return finish(photoId ?? (await findPhoto(sha256)), facts);
  }

  async function prepare(photo: PlannedPhoto, isTrashed: boolean): Promise<Prepared> {
    const { path } = photo.file;
    try {
      const file = await sources.load(photo.file);
      const refusal = checkFileLocally(file, maxBytes);
      if (refusal) return refuse(describeUploadRefusal(refusal, maxBytes));
      const [main] = isTrashed ? [] : photo.albums;
      try {
        return { file, path, album: main ? await albums.ensure(main.album) : choice.album || undefined };
      } catch (error) {
        return { fault: toUploadFault(error) };
      }
    } catch (error) {
      return refuse(describeReadFailure(error));
    }
  }

  /** Sends what the sidecars say of a photo that came without them, or whose import was interrupted. */
  async function complete(id: number, photo: PlannedPhoto, hasSidecar: boolean): Promise<void> {
    if (!photo.json && !photo.xmp && !photo.icloud) return;
    const facts = await readPhotoFacts(photo, sources.read);
    if (facts.exported) return;
    const described = {
      ...describeSidecars(photo.file.path, facts),
      ...(facts.title === '' && { title: '' }),
    };
    const known = Object.fromEntries(Object.entries(described).filter(([, value]) => value !== ''));
    if (!hasSidecar) await tryCall(() => calls.complete(id, known), gate);
    if (facts.isFavorite) await tryCall(() => calls.setFavorite(id), gate);
  }

  /** Finds a photo whose upload has ended without a response. */
  async function findPhoto(sha256: string): Promise<number | undefined> {
    const [known] = await calls.findKnown([sha256]).catch(() => []);
    return known?.photo_id ?? undefined;
  }

  /** Sets what an upload cannot set. A failure leaves the photo private and outside of the favorites. */
  async function finish(id: number | undefined, facts: PhotoFacts): Promise<PhotoOutcome> {
    const isTrashed = isInTrash(facts);
    const isFavorite = facts.isFavorite || facts.exported?.is_favorited === 1;
    if (id !== undefined && isFavorite) await tryCall(() => calls.setFavorite(id), gate);
    if (id !== undefined && isTrashed) await tryCall(() => calls.trash(id), gate);
    const reason = isTrashed ? inTrashReason : '';
    return { outcome: 'imported', reason, photoId: isTrashed ? undefined : id, other: undefined };
  }

  function handleFault(fault: UploadFault, tries: Tries): PhotoOutcome | undefined {
    if (fault.kind === 'duplicate') return duplicate(fault.photo);
    if (fault.kind === 'refused' && fault.refusal.reason === 'quota') return pauseFor('quota');
    if (fault.kind === 'refused') return refuse(describeUploadRefusal(fault.refusal, maxBytes));
    if (fault.kind === 'again' && fault.isFull) return pauseFor('full', fullDiskWaitMs);
    if (fault.kind === 'rest') return pauseFor('rest', fault.until - Date.now());
    if (fault.kind === 'signedOut') {
      void sessionRenewal.renew().then((isRenewed) => isRenewed && gate.open());
      return pauseFor('signedOut');
    }
    if (fault.kind === 'again' && ++tries.again >= maxTries)
      return refuse(describeUploadRefusal(fault.refusal, maxBytes));
    faultsInARow++;
    return pauseFor('unreachable', Math.min(maxBackoffMs, 500 * 2 ** faultsInARow));
  }

  function pauseFor(why: ImportPause, ms?: number): undefined {
    gate.close(why, ms);
  }

  function pauseAtRateLimit(getHeader: (name: string) => string | undefined): void {
    const told = readRateLimit({ get: (name) => getHeader(name) ?? null }, Date.now());
    if (!told || told.left > Math.min(reservedCalls, told.limit / 4) || told.renewed <= Date.now()) return;
    gate.close('rest', told.renewed - Date.now());
  }
}

export const stoppedImport = new Error('The import was stopped');
const presentReason = 'Already in your library';
const inTrashReason = 'In the trash';
/** An earlier import may have ended before it moved the photo to the trash, or its owner restored the photo. */
const leftReason = 'In the trash of the source, but in your library';

function refuse(reason: string): PhotoOutcome {
  return { outcome: 'refused', reason, photoId: undefined, other: undefined };
}

function duplicate(photoId: number | undefined, reason = presentReason): PhotoOutcome {
  return { outcome: 'duplicate', reason, photoId, other: undefined };
}
