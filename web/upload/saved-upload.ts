/** What is left of an upload, kept over a reload of the page: names and sizes, no bytes. The person chooses the files again. */
import type { BatchFields } from './batch-fields.ts';

export interface SavedUpload {
  user: number;
  fields: BatchFields;
  /** Identities. */
  left: string[];
  done: string[];
  /** By mark: a file that is chosen again by itself does not tell its folder. */
  folderOf?: Record<string, string>;
}

/** Also in upload-button.tsx, with how its text begins. */
const storageKey = 'lightwell-upload';

/** A file that is chosen again has the same. */
export const fileKey = ({ name, size, lastModified }: File): string => `${name}/${size}/${lastModified}`;

/** Two cameras number alike: files of one mark in two folders are two. */
export const itemKey = ({ file, folder }: { file: File; folder: string }): string =>
  folder === '' ? fileKey(file) : `${folder}//${fileKey(file)}`;

export function readSavedUpload(user: number): SavedUpload | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as SavedUpload | null;
    return kept?.user === user && kept.left.length > 0 ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined: nothing is left. Where the browser keeps nothing, a reload forgets. */
export function writeSavedUpload(kept: SavedUpload | undefined): void {
  try {
    if (kept && kept.left.length > 0) localStorage.setItem(storageKey, JSON.stringify(kept));
    else localStorage.removeItem(storageKey);
  } catch {
    // Full, or forbidden.
  }
}

const publicKey = 'lightwell-upload-public';

/** As the person chose last; at first, nobody else sees what is uploaded. */
export function readIsPublic(): boolean {
  try {
    return localStorage.getItem(publicKey) === '1';
  } catch {
    return false;
  }
}

export function writeIsPublic(isPublic: boolean): void {
  try {
    localStorage.setItem(publicKey, isPublic ? '1' : '0');
  } catch {
    // Full, or forbidden.
  }
}
