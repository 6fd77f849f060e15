/** Completes a photo that came without the sidecars which another program has written for its file. */
import { isDeepStrictEqual } from 'node:util';
import type { Deps } from '../../../deps.ts';
import type { PhotoRow, Transaction } from '../../../platform/db/tables.ts';
import { errors } from '../../../platform/errors/catalogue.ts';
import type { Exif, FileFacts } from '../../../platform/imaging/metadata/fields.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { lockPhoto } from '../../library/locks.ts';
import { isOwner, isTrashed } from '../../library/permissions.ts';
import { indexLockedPhotos } from '../../library/search-index.ts';
import { cleanTags, maxTags, replaceTags, splitTags, trimTags } from '../../library/tags.ts';
import { emitWebhookEvent } from '../../webhooks/emit.ts';
import { openOriginal } from '../edit/image.ts';
import { type CorrectableField, type PhotoFields, parseFields } from '../metadata/fields.ts';
import { getPhotoMetadata, storeFacts, updatePhotoMetadata, writePhotoFields } from '../metadata/store.ts';
import { isSeenByOthers } from '../reread/reread.ts';
import { readSidecarFacts } from '../sidecar-fields.ts';
import { getManageablePhoto } from '../store.ts';
import { isNameOfFile } from '../upload/fill-texts.ts';
import type { Sidecar } from './schema.ts';

/** Values that the sidecars of a photo's file have. */
export interface Completion {
  /** Path of the original, or of a file with the same bytes. */
  path: string;
  /** Title from a JSON file, or ''. */
  title: string;
  /** Description from a JSON file, or ''. The one of an XMP file counts first. */
  description: string;
  facts: FileFacts;
  /** A photo with the name of this file as its title has no title of its own. */
  fileName?: string;
}

/** Completes one of the caller's photos. Throws photoNotFound, photoForbidden or busy. */
export async function completeBySidecar(
  deps: Deps,
  viewer: Viewer,
  id: number,
  sidecar: Sidecar,
): Promise<void> {
  const photo = await getManageablePhoto(deps, viewer, id);
  if (!isOwner(viewer, photo)) throw errors.photoForbidden();
  const tags = cleanTags(splitTags(sidecar.tags ?? ''));
  const facts = {
    ...readSidecarFacts(sidecar),
    ...(tags.length > 0 && { moreTags: tags }),
    ...(sidecar.xmp && { sidecar: await deps.imaging.xmp(Buffer.from(sidecar.xmp)) }),
  };
  const file = await openOriginal(deps, photo);
  try {
    const { title = '', description = '' } = sidecar;
    await completePhoto(deps, id, { path: file.path, title, description, facts });
  } finally {
    await file.release();
  }
}

/**
 * Fills what is empty, and replaces what an upload without the sidecars has chosen. Corrections of the owner stay. Texts
 * are filled only while nobody else sees them.
 */
export async function completePhoto(deps: Deps, id: number, completion: Completion): Promise<void> {
  const before = await getPhotoMetadata(deps.db.kysely, id);
  const facts = { ...before.facts, ...completion.facts };
  const row = await deps.db.kysely
    .selectFrom('photos')
    .select('file_name')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return;
  const known = { name: completion.fileName ?? row.file_name, now: deps.clock() };
  const exif = await deps.imaging.exif(completion.path, { facts: { ...facts, ...known } });
  const plain = await deps.imaging.exif(completion.path, { facts: { ...before.facts, ...known } });
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhoto(transaction, id);
    if (!photo || isTrashed(photo)) return;
    await completeLocked(deps, transaction, photo, {
      completion: { ...completion, facts },
      exif,
      plainTime: plain.takenTime,
    });
  });
}

interface Reading {
  completion: Completion;
  exif: Exif;
  /** Date that the file has without these sidecars. */
  plainTime: number | null;
}

async function completeLocked(
  deps: Deps,
  transaction: Transaction,
  photo: PhotoRow,
  { completion, exif, plainTime }: Reading,
): Promise<void> {
  const { corrected, isRead } = await getPhotoMetadata(transaction, photo.id);
  const current = parseFields(photo);
  const found = {
    ...((await isSeenByOthers(deps, transaction, photo)) ? {} : chooseTexts(photo, completion, exif)),
    ...chooseFileFields(photo, exif, plainTime),
  };
  const fields = { ...current, ...omitFields(found, corrected) };
  // The job that reads the files of an earlier version again also finds the facts.
  if (isRead) await updatePhotoMetadata(transaction, photo.id, { exif, facts: completion.facts });
  else await storeFacts(transaction, photo.id, completion.facts);
  const { placeNames: place_names } = exif;
  if (isDeepStrictEqual(fields, current) && place_names === photo.place_names) return;
  await writePhotoFields(deps, transaction, photo, fields, { place_names, update_time: deps.clock() });
  await replaceTags(deps.db, transaction, photo, fields.tags);
  await indexLockedPhotos(deps, transaction, photo.id);
  await emitWebhookEvent(deps, transaction, photo.user_id, {
    type: 'photo.updated',
    actorId: photo.user_id,
    photo: { id: photo.id, title: fields.title, level: photo.level },
  });
}

function chooseTexts(photo: PhotoRow, completion: Completion, exif: Exif): Partial<PhotoFields> {
  const names = [photo.file_name, completion.fileName ?? photo.file_name];
  const isUntitled = photo.title === '' || names.some((name) => isNameOfFile(photo.title, name));
  const title = completion.title || exif.title;
  const beside = completion.facts.sidecar?.description?.[0] ? '' : completion.description;
  const description = beside || exif.description;
  const tags = trimTags(exif.tags).slice(0, maxTags);
  return {
    ...(isUntitled && title !== '' && { title }),
    ...(photo.description === '' && description !== '' && { description }),
    ...(photo.tags === '[]' && tags.length > 0 && { tags }),
  };
}

/** Returns date, place and rating of the sidecars, where the photo has no value or one that the upload chose. */
function chooseFileFields(photo: PhotoRow, exif: Exif, plainTime: number | null): Partial<PhotoFields> {
  // Without a date in the file, the time of the file or of the upload was chosen.
  const isChosen = plainTime === null || photo.taken_time === plainTime;
  return {
    ...(exif.takenTime !== null && isChosen && { taken_time: exif.takenTime }),
    ...(photo.latitude === null && exif.location && { location: exif.location }),
    ...(photo.rating === 0 && { rating: exif.rating }),
  };
}

function omitFields(fields: Partial<PhotoFields>, omitted: CorrectableField[]): Partial<PhotoFields> {
  const kept = Object.entries(fields).filter(([name]) => !(omitted as string[]).includes(name));
  return Object.fromEntries(kept);
}
