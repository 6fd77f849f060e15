/** Applies corrections of an owner to the fields of a photo, and takes corrections back. */
import { isDeepStrictEqual } from 'node:util';
import {
  type CorrectableField,
  correctableFields,
  type FileFields,
  isInFile,
  type PhotoFields,
} from './fields.ts';
import type { PhotoMetadata } from './store.ts';

export interface Correction {
  /** New values of fields. */
  given: Partial<PhotoFields>;
  /** Fields that get the values of the file. */
  fromFile: readonly CorrectableField[];
}

export interface CorrectedPhoto {
  fields: PhotoFields;
  corrected: CorrectableField[];
}

/**
 * Returns the fields of a photo after a correction. A field counts as corrected if its new value is another one than
 * the file's. Writing back the current value corrects nothing. `uploadTime` replaces a date that the file lacks.
 */
export function correctPhoto(
  current: PhotoFields,
  { file, corrected }: PhotoMetadata,
  { given, fromFile }: Correction,
  uploadTime: number,
): CorrectedPhoto {
  const values: PhotoFields = { ...current };
  const marks = new Set(corrected);
  for (const field of correctableFields) {
    if (fromFile.includes(field)) {
      Object.assign(values, { [field]: readFileField(file, field, uploadTime) });
      marks.delete(field);
    } else if (given[field] !== undefined && !isDeepStrictEqual(given[field], current[field])) {
      Object.assign(values, { [field]: given[field] });
      if (isInFile(file, field) && isDeepStrictEqual(given[field], file[field])) marks.delete(field);
      else marks.add(field);
    }
  }
  return { fields: values, corrected: [...marks] };
}

function readFileField(file: FileFields, field: CorrectableField, uploadTime: number): unknown {
  return field === 'taken_time' ? (file.taken_time ?? uploadTime) : file[field];
}

/**
 * Returns what the file says where the photo has another value, for its owner. A field that the owner corrected is
 * included even if the file lacks it. Texts that the file lacks are never included.
 */
export function listOtherFileFields(
  current: PhotoFields,
  { file, corrected }: PhotoMetadata,
): Partial<FileFields> {
  const differing = correctableFields.filter((field) => {
    if (isInFile(file, field)) return !isDeepStrictEqual(file[field], current[field]);
    const isText = field === 'title' || field === 'description' || field === 'tags';
    return corrected.includes(field) && !isText;
  });
  return Object.fromEntries(differing.map((field) => [field, file[field]]));
}
