/**
 * Names of files and folders in an export. The names are valid on every file system and unique in their folder, even
 * without regard to case.
 */
import { sanitizeFileStem, sanitizeFolderName } from '../../../gallery/photos/upload/file-name.ts';
import { foldText } from '../../../platform/db/fold.ts';
import { accountFileName, accountListFileNames, avatarFileName } from '../account-schema.ts';
import { isSystemName } from '../plan/kinds.ts';
import { albumFileName, exportFileName, missingFileName, trashFolderName } from '../schema.ts';
import type { ExportedPhoto } from './rows.ts';

/** Columns of a photo that its file name depends on. `extension` belongs to the original. */
type NameableOriginal = Pick<ExportedPhoto, 'id' | 'file_name' | 'title' | 'extension'>;

/** Maximum bytes of a name without its ending. An id and `.json` may be added, and file systems allow 255 bytes. */
const maxBytes = 180;

const reservedNames = [
  albumFileName,
  exportFileName,
  missingFileName,
  accountFileName,
  avatarFileName,
  trashFolderName,
  ...Object.values(accountListFileNames),
].map(foldText);

/** Returns functions that choose unique names in a folder. The same calls in the same order return the same names. */
export function createUniqueFileNames() {
  const taken = new Set(reservedNames);

  /**
   * Reserves and returns a unique name for a group of files that differ only in their endings, such as `.jpg` and
   * `.jpg.json`.
   */
  function reserveName(stem: string, id: number, endings: string[]): string {
    const isFree = (name: string) => endings.every((ending) => !taken.has(foldText(name + ending)));
    // Ids are unique, so a name with an id is taken only if another name happens to end with that id.
    let name = stem;
    while (!isFree(name)) name = `${name}-${id}`;
    for (const ending of endings) taken.add(foldText(name + ending));
    return name;
  }

  return {
    folder(wanted: string, id: number): string {
      const name = sanitizeFolderName(wanted, maxBytes) || `album-${id}`;
      return reserveName(isSystemName(name) ? `_${name}` : name, id, ['']);
    },
    /** Returns the name of a photo's file. The names with `.json` and `.xmp` are reserved too. */
    photo(photo: NameableOriginal): string {
      const ending = `.${photo.extension}`;
      return reserveName(fileNameStem(photo), photo.id, [ending, `${ending}.json`, `${ending}.xmp`]) + ending;
    },
  };
}

function fileNameStem({ id, file_name, title }: NameableOriginal): string {
  const stem = sanitizeFileStem(file_name, maxBytes) || sanitizeFolderName(title, maxBytes) || `photo-${id}`;
  return isSystemName(stem) ? `_${stem}` : stem;
}

/**
 * Returns the name of a trashed photo's file. The name contains the id, because trashed photos are listed by the time
 * of deletion and not by folder.
 */
export function buildTrashedPhotoName(photo: NameableOriginal): string {
  return `${fileNameStem(photo)}-${photo.id}.${photo.extension}`;
}
