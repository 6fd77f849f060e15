/**
 * Chooses file names within one folder of an archive. Each name is unique and valid on every file system, whatever
 * title the photo has.
 */
import { foldText } from '../../../platform/db/fold.ts';
import { sanitizeFileStem, sanitizeFolderName, withoutExtension } from '../../photos/upload/file-name.ts';

/** Maximum number of bytes of a file or folder name in an archive, without its extension and number. */
const maxBytes = 200;

export interface ArchiveNames {
  /**
   * Returns a name that is unique in the folder. A repeated name becomes `name (2)`, and names that differ only in
   * case count as equal.
   */
  reserve(stem: string, extension?: string): string;
}

export function createArchiveNames(): ArchiveNames {
  /** Maps each used name, folded, to the number that the next equal name tries first. */
  const taken = new Map<string, number>();
  return {
    reserve(stem, extension = '') {
      const end = extension && `.${extension}`;
      const first = foldText(stem + end);
      let name = stem + end;
      for (let n = taken.get(first) ?? 1; taken.has(foldText(name)); n++) {
        name = `${stem} (${n + 1})${end}`;
        taken.set(first, n + 1);
      }
      taken.set(foldText(name), 1);
      return name;
    },
  };
}

/**
 * Returns the name of a photo's file without extension: its title, or for the owner of an untitled photo the name
 * of the uploaded file.
 */
export function choosePhotoFileStem(
  photo: { id: number; title: string; file_name: string },
  extension: string,
  isForOwner: boolean,
): string {
  const named = sanitizeFolderName(
    withoutExtension(sanitizeFolderName(photo.title, maxBytes), extension),
    maxBytes,
  );
  const file = isForOwner ? sanitizeFileStem(photo.file_name, maxBytes) : '';
  return named || file || `photo-${photo.id}`;
}

export function chooseAlbumFolderName(album: { id: number; name: string }): string {
  return sanitizeFolderName(album.name, maxBytes) || `album-${album.id}`;
}
