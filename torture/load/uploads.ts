/** Uploads of photos by form and in parts; each file is different. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { Answer, Person, UploadedPhoto } from '../../test/support/people.ts';
import type { Random } from '../../test/support/random.ts';
import { createUpload, sendChunk } from '../../test/support/uploads.ts';
import {
  type File,
  knownValue,
  type Ledger,
  nameLevel,
  note,
  type PhotoEntry,
  type UnsureUpload,
} from './ledger.ts';

interface Picture {
  bytes: Buffer;
  width: number;
  height: number;
}

const sides = [
  [160, 120],
  [420, 300],
  [300, 560],
  [900, 640],
] as const;
/** RGB values of the quarters: red, green, blue and gray. */
const quarters = [190, 60, 50, 60, 150, 70, 60, 70, 180, 210, 205, 190];
/** Bytes of a part, so that most files have two or three parts. */
const partBytes = 24_000;

let pictures: Promise<Picture[]> | undefined;

/** Creates pictures once per process. Their quarters differ in color, so that each rotation shows. */
export function makePictures(): Promise<Picture[]> {
  pictures ??= Promise.all(
    sides.map(async ([width, height]) => {
      const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
      const grain = await sharp({ create: { width, height, channels: 3, background: '#000', noise } })
        .png()
        .toBuffer();
      const bytes = await sharp(Buffer.from(quarters), { raw: { width: 2, height: 2, channels: 3 } })
        .resize({ width, height, fit: 'fill', kernel: 'nearest' })
        .composite([{ input: grain, blend: 'soft-light' }])
        .jpeg({ quality: 75 })
        .toBuffer();
      return { bytes, width, height };
    }),
  );
  return pictures;
}

/** Creates a unique file: the original keeps bytes after the picture's end. */
export function newFile(random: Random, pictures: Picture[], title: string): { bytes: Buffer; file: File } {
  const { bytes: picture, width, height } = random.pick(pictures);
  const bytes = Buffer.concat([picture, Buffer.from(title)]);
  return { bytes, file: { sha256: createHash('sha256').update(bytes).digest('hex'), width, height } };
}

export async function uploadByForm(
  ledger: Ledger,
  who: Person,
  upload: UnsureUpload,
  bytes: Buffer,
): Promise<void> {
  ledger.unsureUploads.push(upload);
  const { title, level } = upload;
  const answer = await who.upload(bytes, { title, visibility: nameLevel(level) });
  note(ledger, 'uploads', answer);
  settleUpload(ledger, upload, answer);
}

/** Starts a resumable upload and sends its parts. Without an answer the upload continues later. */
export async function uploadInParts(
  ledger: Ledger,
  who: Person,
  upload: UnsureUpload,
  bytes: Buffer,
): Promise<void> {
  const { title, level, file } = upload;
  const answer = await createUpload(who, bytes.length, {
    title,
    visibility: nameLevel(level),
    sha256: file.sha256,
  });
  note(ledger, 'resumable uploads begun', answer);
  if (answer.status !== 201) return;
  const path = answer.headers.get('location')!;
  upload.resumable = { path, bytes, acknowledged: 0, sent: 0, isInHand: true };
  ledger.unsureUploads.push(upload);
  await sendParts(ledger, who, upload);
}

/** Sends the parts from the acknowledged offset. `UnsureUpload.resumable` must be set. */
export async function sendParts(ledger: Ledger, who: Person, upload: UnsureUpload): Promise<void> {
  const parts = upload.resumable!;
  while (parts.acknowledged < parts.bytes.length) {
    const end = Math.min(parts.bytes.length, parts.acknowledged + partBytes);
    parts.sent = end;
    const part = parts.bytes.subarray(parts.acknowledged, end);
    const answer = await sendChunk(who, parts.path, parts.acknowledged, part);
    note(ledger, 'parts', answer);
    if (answer.status === 204) {
      parts.acknowledged = Number(answer.headers.get('upload-offset'));
      continue;
    }
    if (answer.status === 200) note(ledger, 'resumable uploads', answer);
    return settleUpload(ledger, upload, answer);
  }
}

function settleUpload(ledger: Ledger, upload: UnsureUpload, { status, body }: Answer): void {
  if (status !== 200 && status >= 500) return;
  ledger.unsureUploads = ledger.unsureUploads.filter((one) => one !== upload);
  if (status === 200) ledger.photos.push(createEntry(ledger, upload, body.data));
}

/** Creates the ledger's entry for an acknowledged photo, or one found after a restart. */
export function createEntry(
  ledger: Ledger,
  { owner, file, title, level }: UnsureUpload,
  { id, path }: Pick<UploadedPhoto, 'id' | 'path'>,
): PhotoEntry {
  return {
    id,
    owner,
    file,
    place: knownValue('shown'),
    steps: knownValue([]),
    level: knownValue(level),
    title: knownValue(title),
    tags: knownValue([]),
    album: knownValue(0),
    likes: ledger.users.map(() => knownValue(false)),
    favorites: ledger.users.map(() => knownValue(false)),
    path,
  };
}
