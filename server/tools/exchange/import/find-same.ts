/** Finds the photo that the user already has for a file of an import. */
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../gallery/identity/viewer.ts';
import {
  findDuplicatePhoto,
  findDuplicatePhotos,
  findTrashedDuplicates,
  type SamePhoto,
} from '../../../gallery/photos/upload/same-original.ts';
import { type PhotoJson, parseExportTime } from '../schema.ts';

/** Maximum number of photos with the same original that are compared with a file. */
const maxDuplicates = 1000;

interface FileToFind {
  sha256: string;
  exported: PhotoJson | undefined;
  /** Whether the file comes from the trash of another program. */
  isTrashed: boolean;
  /** Ids of photos that are matched to a file of the export, because each photo matches only one file. */
  taken: Set<number>;
}

/**
 * Finds the existing photo for a file. An export can contain several photos of the same bytes with different titles,
 * tags and edits. The photo with the file's creation time is preferred, and then any photo without another file.
 */
export async function findSamePhoto(
  deps: Deps,
  viewer: Viewer,
  { sha256, exported, isTrashed, taken }: FileToFind,
): Promise<SamePhoto | undefined> {
  if (!exported) {
    const found = await findDuplicatePhoto(deps, viewer.id, sha256);
    if (found || !isTrashed) return found;
    return (await findTrashedDuplicates(deps, viewer.id, sha256, 1))[0];
  }
  const isItself = (photo: SamePhoto) => isOfItsTime(photo) && photo.title === exported.title;
  const isOfItsTime = (photo: SamePhoto) => photo.create_time === parseExportTime(exported.create_time);
  if (exported.delete_time !== undefined) {
    const trashed = await findTrashedDuplicates(deps, viewer.id, sha256, maxDuplicates);
    // A photo that its owner has restored from the trash here is still the same photo.
    const others = (await findDuplicatePhotos(deps, viewer.id, sha256, maxDuplicates)).filter(isOfItsTime);
    const free = [...trashed, ...others].filter(({ id }) => !taken.has(id));
    return free.find(isItself) ?? free.find(isOfItsTime) ?? free[0];
  }
  const all = await findDuplicatePhotos(deps, viewer.id, sha256, maxDuplicates);
  const free = all.filter(({ id }) => !taken.has(id));
  return free.find(isItself) ?? free.find(isOfItsTime) ?? free[0];
}
