/**
 * Stores the rest of an upload in the browser, so that a reload can resume after the user chooses the files
 * again. Only names and sizes are stored, no file contents.
 */
import type { UploadBatchFields } from './batch-fields.ts';

export interface SavedUpload {
  user: number;
  fields: UploadBatchFields;
  /** Keys of files that are left to send (`getUploadItemKey`). */
  left: string[];
  done: string[];
  /** Folder of each file by `getFileKey`, because a file that is chosen again has no folder. */
  folderOf?: Record<string, string>;
}

/** upload-button.tsx has the same key, and knows how the stored text begins. */
const storageKey = 'lightwell-upload';

/** A key that is the same when the user chooses the file again. */
export const getFileKey = ({ name, size, lastModified }: File): string => `${name}/${size}/${lastModified}`;

/** The key includes the folder, because two cameras may give files the same name. */
export const getUploadItemKey = ({ file, folder }: { file: File; folder: string }): string =>
  folder === '' ? getFileKey(file) : `${folder}//${getFileKey(file)}`;

export function readSavedUpload(user: number): SavedUpload | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as SavedUpload | null;
    return kept?.user === user && kept.left.length > 0 ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Saves the rest of an upload; undefined deletes the saved one. Without storage a reload loses the list. */
export function writeSavedUpload(kept: SavedUpload | undefined): void {
  try {
    if (kept && kept.left.length > 0) localStorage.setItem(storageKey, JSON.stringify(kept));
    else localStorage.removeItem(storageKey);
  } catch {
    // The browser's localStorage is full or forbidden. The upload continues, but a reload loses the list.
  }
}
