/** Sends one photo of an import, with everything that its sidecars say. */
import { archiveTag, type PhotoFacts } from '../../server/tools/exchange/plan/facts.ts';
import { getFileName } from '../../server/tools/exchange/plan/source-file.ts';
import { choosePhotoTitle, cleanDescription } from '../../server/tools/exchange/plan/text.ts';
import type { VisibilityLevel } from '../api/types.ts';
import type { UploadFault } from '../upload/faults.ts';
import { formatFileModifiedTime } from '../upload/files.ts';
import { type ActiveUpload, sendFile } from '../upload/send.ts';
import { chooseNarrowerLevel, visibilityLevels } from '../visibility/levels.ts';
import { isInTrash } from './scan.ts';
import { shortenXmp } from './xmp.ts';

export interface PhotoToSend {
  file: File;
  /** Path in the source, which keeps files of the same name apart when an upload is resumed. */
  path: string;
  sha256: string;
  album: number | undefined;
  level: VisibilityLevel;
  facts: PhotoFacts;
}

export type SendResult =
  /** `photo` is undefined if the photo was created but the response was lost. */
  { kind: 'done'; photo: number | undefined } | { kind: 'stopped' } | { kind: 'fault'; fault: UploadFault };

export interface SendEvents {
  onStart(upload: ActiveUpload): void;
  onProgress(sent: number): void;
  onResponse(getHeader: (name: string) => string | undefined): void;
}

export function sendPhoto(photo: PhotoToSend, { onStart, ...events }: SendEvents): Promise<SendResult> {
  return new Promise((resolve) => {
    const upload = sendFile(
      { file: photo.file, folder: `import/${photo.path}` },
      async () => describePhoto(photo),
      {
        ...events,
        onDone: (id) => resolve({ kind: 'done', photo: id }),
        onFault: (fault) => resolve({ kind: 'fault', fault }),
      },
    );
    onStart({
      stop(isForGood) {
        upload.stop(isForGood);
        resolve({ kind: 'stopped' });
      },
    });
  });
}

function describePhoto(photo: PhotoToSend): Record<string, string> {
  const { file, sha256, album, facts } = photo;
  const { exported } = facts;
  const text = exported ? readExportedTexts(exported) : describeSidecars(photo.path, facts);
  const described = {
    ...text,
    visibility: facts.isArchived || isInTrash(facts) ? 'private' : chooseLevel(photo),
    file_time: formatFileModifiedTime(file),
    sha256,
    ...(album && { album_id: String(album) }),
  };
  return Object.fromEntries(Object.entries(described).filter(([, value]) => value !== ''));
}

/** Returns the fields of an upload, or of a completion, for what the sidecars say. Unknown ones are ''. */
export function describeSidecars(path: string, facts: PhotoFacts): Record<string, string> {
  const { title, description, takenTime, location, xmp, isArchived } = facts;
  return {
    title: choosePhotoTitle(getFileName({ path }), title),
    description: cleanDescription(description),
    ...(isArchived && { tags: archiveTag }),
    ...(takenTime !== undefined && { utc_time: formatTime(takenTime) }),
    ...(location && { place: `${location.latitude.toFixed(8)},${location.longitude.toFixed(8)}` }),
    ...(xmp && { xmp: shortenXmp(xmp) }),
  };
}

/** Returns '' for a time that the API refuses. */
function formatTime(seconds: number): string {
  const isKnown = seconds >= Date.UTC(1000, 0) / 1000 && seconds < Date.UTC(10_000, 0) / 1000;
  return isKnown ? new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ') : '';
}

/** The level of an export narrows the chosen level. */
function chooseLevel({ level, facts }: PhotoToSend): VisibilityLevel {
  const exported = visibilityLevels.find((one) => one === facts.exported?.visibility);
  return exported ? chooseNarrowerLevel(level, exported) : level;
}

function readExportedTexts({ title, description, tags }: Record<string, unknown>) {
  const names = Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  return {
    title: choosePhotoTitle('', typeof title === 'string' ? title : ''),
    description: cleanDescription(typeof description === 'string' ? description : ''),
    tags: names.map((tag) => tag.replaceAll(',', ' ')).join(', '),
  };
}
