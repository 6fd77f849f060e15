/** Names within one folder of an archive: what every file system takes, each once, whatever titles people chose. */
import { fold } from '../../../platform/db/fold.ts';
import { safeFileStem, safeStem, withoutExtension } from '../../photos/upload/file-name.ts';

/** Of a name without its extension and number. */
const maxBytes = 200;

export interface Names {
  /** The same name a second time becomes `name (2)`; letter case does not tell names apart. */
  claim(stem: string, extension?: string): string;
}

export function createNames(): Names {
  /** Folded name → the number that the next one of this name tries. */
  const taken = new Map<string, number>();
  return {
    claim(stem, extension = '') {
      const end = extension && `.${extension}`;
      const first = fold(stem + end);
      let name = stem + end;
      for (let n = taken.get(first) ?? 1; taken.has(fold(name)); n++) {
        name = `${stem} (${n + 1})${end}`;
        taken.set(first, n + 1);
      }
      taken.set(fold(name), 1);
      return name;
    },
  };
}

/**
 * What a photo's file is called, without an extension: by its title, else for its owner by the file that was uploaded.
 */
export function photoStem(
  photo: { id: number; title: string; file_name: string },
  extension: string,
  isForOwner: boolean,
): string {
  const named = safeStem(withoutExtension(safeStem(photo.title, maxBytes), extension), maxBytes);
  const file = isForOwner ? safeFileStem(photo.file_name, maxBytes) : '';
  return named || file || `photo-${photo.id}`;
}

export function albumFolder(album: { id: number; name: string }): string {
  return safeStem(album.name, maxBytes) || `album-${album.id}`;
}
