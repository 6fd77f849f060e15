/** Names of files and folders: safe on every file system, and none twice in a folder, whatever its case. */
import { safeFileStem, safeStem } from '../../../gallery/photos/upload/file-name.ts';
import { fold } from '../../../platform/db/fold.ts';
import { accountFileName, avatarFileName, listFileNames } from '../account-schema.ts';
import { litter } from '../import/walk.ts';
import { albumFileName, exportFileName, missingFileName, trashFolderName } from '../schema.ts';
import type { ExportedPhoto } from './rows.ts';

/** `extension`: of the original. */
type Named = Pick<ExportedPhoto, 'id' | 'file_name' | 'title' | 'extension'>;

/** What tells names apart, `.json` and the like come to it. */
const maxBytes = 180;

const reserved = [
  albumFileName,
  exportFileName,
  missingFileName,
  accountFileName,
  avatarFileName,
  trashFolderName,
  ...Object.values(listFileNames),
].map(fold);

/** The same names for the same calls in the same order. */
export function createFolderNames() {
  const taken = new Set(reserved);

  /** `endings`: of all files that go by the name. */
  function take(stem: string, id: number, endings: string[]): string {
    const isFree = (name: string) => endings.every((ending) => !taken.has(fold(name + ending)));
    // Ids are unique: the second try can only collide with a name that looks like one with an id.
    let name = stem;
    while (!isFree(name)) name = `${name}-${id}`;
    for (const ending of endings) taken.add(fold(name + ending));
    return name;
  }

  return {
    folder(wanted: string, id: number): string {
      const name = safeStem(wanted, maxBytes) || `album-${id}`;
      return take(litter.test(name) ? `_${name}` : name, id, ['']);
    },
    /** A name whose `.json` is free, too. */
    photo(photo: Named): string {
      const ending = `.${photo.extension}`;
      return take(stemOf(photo), photo.id, [ending, `${ending}.json`]) + ending;
    },
  };
}

function stemOf({ id, file_name, title }: Named): string {
  const stem = safeFileStem(file_name, maxBytes) || safeStem(title, maxBytes) || `photo-${id}`;
  return litter.test(stem) ? `_${stem}` : stem;
}

/** With its id, as those of the trash come in the order in which they were deleted, and not by folders. */
export function trashedName(photo: Named): string {
  return `${stemOf(photo)}-${photo.id}.${photo.extension}`;
}
