/** Completes a photo that was imported without the sidecars which a later import finds. */
import { isDeepStrictEqual } from 'node:util';
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { lockPhoto } from '../../../gallery/library/locks.ts';
import { isTrashed } from '../../../gallery/library/permissions.ts';
import { indexLockedPhotos } from '../../../gallery/library/search-index.ts';
import { maxTags, replaceTags, trimTags } from '../../../gallery/library/tags.ts';
import { changeReaction } from '../../../gallery/photos/likes.ts';
import {
  type CorrectableField,
  type PhotoFields,
  parseFields,
} from '../../../gallery/photos/metadata/fields.ts';
import {
  getPhotoMetadata,
  storeFacts,
  updatePhotoMetadata,
  writePhotoFields,
} from '../../../gallery/photos/metadata/store.ts';
import { isSeenByOthers } from '../../../gallery/photos/reread/reread.ts';
import type { PhotoRow, Transaction } from '../../../platform/db/tables.ts';
import type { Exif } from '../../../platform/imaging/metadata/fields.ts';
import { getFileName } from '../plan/source-file.ts';
import { choosePhotoTitle, cleanDescription } from '../plan/text.ts';
import type { InspectedFile } from './inspected-file.ts';

/** Everything about a file that completing its photo needs. `source` has the path of the original. */
export type CompletingFile = Pick<InspectedFile, 'planned' | 'told' | 'facts'> & { source: { path: string } };

/**
 * Fills what is empty, and replaces what an import without the sidecars has chosen. Corrections of the owner stay. Texts
 * are filled only while nobody else sees them.
 */
export async function completePhoto(
  deps: Deps,
  viewer: Viewer,
  id: number,
  inspected: CompletingFile,
): Promise<void> {
  const { planned, told, facts, source } = inspected;
  if (!planned.json && !planned.xmp && !planned.icloud) return;
  const known = { name: getFileName(planned.file), now: deps.clock() };
  const exif = await deps.imaging.exif(source.path, { facts: { ...facts, ...known } });
  const plain = await deps.imaging.exif(source.path, { facts: known });
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhoto(transaction, id);
    if (photo && !isTrashed(photo))
      await completeLocked(deps, transaction, photo, { inspected, exif, plainTime: plain.takenTime });
  });
  if (told.isFavorite) await changeReaction(deps, viewer, id, 'favorites', true);
}

interface Completion {
  inspected: CompletingFile;
  exif: Exif;
  /** Date that the file has without its sidecars. */
  plainTime: number | null;
}

async function completeLocked(
  deps: Deps,
  transaction: Transaction,
  photo: PhotoRow,
  { inspected, exif, plainTime }: Completion,
): Promise<void> {
  const { corrected, isRead } = await getPhotoMetadata(transaction, photo.id);
  const current = parseFields(photo);
  const found = {
    ...((await isSeenByOthers(deps, transaction, photo)) ? {} : chooseTexts(photo, inspected, exif)),
    ...chooseFileFields(photo, exif, plainTime),
  };
  const fields = { ...current, ...omitFields(found, corrected) };
  const isChanged = !isDeepStrictEqual(fields, current);
  // The job that reads the files of an earlier version again also finds the facts.
  if (isRead) await updatePhotoMetadata(transaction, photo.id, { exif, facts: inspected.facts });
  else await storeFacts(transaction, photo.id, inspected.facts);
  if (!isChanged) return;
  await writePhotoFields(deps, transaction, photo, fields, { update_time: deps.clock() });
  await replaceTags(deps.db, transaction, photo, fields.tags);
  await indexLockedPhotos(deps, transaction, photo.id);
}

function chooseTexts(
  photo: PhotoRow,
  { planned, told, facts }: CompletingFile,
  exif: Exif,
): Partial<PhotoFields> {
  const fileName = getFileName(planned.file);
  const isNamedAfterFile = [fileName, photo.file_name].some(
    (name) => photo.title === choosePhotoTitle(name, '') || photo.title === name,
  );
  const title = (told.title && choosePhotoTitle(fileName, told.title)) || exif.title;
  const beside = facts.sidecar?.description?.[0] ? '' : cleanDescription(told.description);
  const description = beside || exif.description;
  const tags = trimTags(exif.tags).slice(0, maxTags);
  return {
    ...(isNamedAfterFile && title !== '' && { title }),
    ...(photo.description === '' && description !== '' && { description }),
    ...(photo.tags === '[]' && tags.length > 0 && { tags }),
  };
}

/** Returns date, place and rating of the sidecars, where the photo has no value or one that the import chose. */
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
