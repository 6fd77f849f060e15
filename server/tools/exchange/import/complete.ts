/** Completes a photo that was imported without the sidecars which a later import finds. */
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import { regroupPhotos } from '../../../gallery/library/groups.ts';
import { lockPhoto } from '../../../gallery/library/locks.ts';
import { indexLockedPhotos } from '../../../gallery/library/search-index.ts';
import { trimTags } from '../../../gallery/library/tags.ts';
import { changeReaction } from '../../../gallery/photos/likes.ts';
import type { CorrectableField } from '../../../gallery/photos/metadata/fields.ts';
import {
  getPhotoMetadata,
  type ReadMetadata,
  updatePhotoMetadata,
} from '../../../gallery/photos/metadata/store.ts';
import { updatePhoto } from '../../../gallery/photos/update.ts';
import type { PhotoRow } from '../../../platform/db/tables.ts';
import type { Exif } from '../../../platform/imaging/metadata/fields.ts';
import { getFileName } from '../plan/source-file.ts';
import { choosePhotoTitle, cleanDescription } from '../plan/text.ts';
import type { InspectedFile } from './inspected-file.ts';

/** Everything about a file that completing its photo needs. `source` has the path of the original. */
export type CompletingFile = Pick<InspectedFile, 'planned' | 'told' | 'facts'> & { source: { path: string } };

type CompletedColumns = Pick<PhotoRow, 'taken_time' | 'latitude' | 'longitude'>;

/** Fills what is empty, and replaces what an import without the sidecars has chosen. Other values of the owner stay. */
export async function completePhoto(
  deps: Deps,
  viewer: Viewer,
  id: number,
  inspected: CompletingFile,
): Promise<void> {
  const { planned, told, facts, source } = inspected;
  if (!planned.json && !planned.xmp && !planned.icloud) return;
  const name = getFileName(planned.file);
  const now = deps.clock();
  const found = await deps.imaging.exif(source.path, { facts: { ...facts, name, now } });
  const photo = await deps.db.kysely.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirst();
  if (!photo) return;
  const corrected = await writeReading(deps, id, { exif: found, facts });
  await completeTexts(deps, viewer, photo, { found, inspected, corrected });
  // Without a date in the file, the time of the file or of the upload was chosen.
  const isChosen = async () => {
    const plain = await deps.imaging.exif(source.path, { facts: { name, now } });
    return plain.takenTime === null || photo.taken_time === plain.takenTime;
  };
  const isLater = found.takenTime !== null && found.takenTime !== photo.taken_time && (await isChosen());
  await completeColumns(deps, id, {
    ...(isLater && !corrected.includes('taken_time') && { taken_time: found.takenTime! }),
    ...(photo.latitude === null && !corrected.includes('location') && found.location),
  });
  if (told.isFavorite) await changeReaction(deps, viewer, id, 'favorites', true);
}

/** Writes what the file says with its sidecars, and returns the fields that the owner corrected. */
function writeReading({ db }: Deps, id: number, read: ReadMetadata): Promise<CorrectableField[]> {
  return db.kysely.transaction().execute(async (transaction) => {
    await updatePhotoMetadata(transaction, id, read);
    return (await getPhotoMetadata(transaction, id)).corrected;
  });
}

interface CompletingTexts {
  found: Exif;
  inspected: CompletingFile;
  corrected: CorrectableField[];
}

/** Fills the texts that are empty, except those that the owner emptied. */
async function completeTexts(
  deps: Deps,
  viewer: Viewer,
  photo: PhotoRow,
  { found, inspected: { planned, told, facts }, corrected }: CompletingTexts,
): Promise<void> {
  const fileName = getFileName(planned.file);
  const isNamedAfterFile = [fileName, photo.file_name].some(
    (name) => photo.title === choosePhotoTitle(name, '') || photo.title === name,
  );
  const title = (told.title && choosePhotoTitle(fileName, told.title)) || found.title;
  const beside = facts.sidecar?.description?.[0] ? '' : cleanDescription(told.description);
  const description = beside || found.description;
  const tags = trimTags(found.tags);
  const change = {
    ...(isNamedAfterFile && title !== '' && title !== photo.title && { title }),
    ...(photo.description === '' &&
      !corrected.includes('description') &&
      description !== '' && { description }),
    ...(photo.tags === '[]' && !corrected.includes('tags') && tags.length > 0 && { tags }),
  };
  if (Object.keys(change).length > 0) await updatePhoto(deps, viewer, photo.id, change);
}

async function completeColumns(deps: Deps, id: number, columns: Partial<CompletedColumns>): Promise<void> {
  if (Object.keys(columns).length === 0) return;
  await deps.db.kysely.transaction().execute(async (transaction) => {
    await lockPhoto(transaction, id);
    await regroupPhotos(deps.db, transaction, [id], () =>
      transaction.updateTable('photos').set(columns).where('id', '=', id).execute(),
    );
    await indexLockedPhotos(deps, transaction, id);
  });
}
