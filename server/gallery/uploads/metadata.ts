/** What a client says of its file when it begins to upload it. */
import { isUtf8 } from 'node:buffer';
import type { FieldErrors } from '../../platform/errors/catalogue.ts';
import { addFieldError } from '../../platform/http/field-errors.ts';
import { createFormCheck } from '../../platform/http/validation.ts';
import { cleanTags, splitTags } from '../library/tags.ts';
import type { PhotoText } from '../photos/upload/upload.ts';
import { Metadata } from './schema.ts';

/** As tus has it: a name without a value is null. */
export type GivenMetadata = Record<string, string | null>;

const check = createFormCheck(Metadata);

/** Throws invalid that names every bad field, those of `problems` included. Null values are left out. */
export function checkMetadata(given: GivenMetadata, problems: FieldErrors = {}): Metadata {
  return check(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)), problems);
}

/**
 * Finds the values of an Upload-Metadata header that are not UTF-8: the protocol's library replaces their bytes with
 * U+FFFD. Unknown names are checked too, because HEAD returns their values.
 */
export function encodingProblems(header: string | string[] = ''): FieldErrors {
  const problems: FieldErrors = {};
  for (const pair of String(header).split(',')) {
    const [name = '', value = ''] = pair.split(' ');
    if (!isUtf8(Buffer.from(value, 'base64'))) addFieldError(problems, name, 'must be text in UTF-8');
  }
  return problems;
}

/** Of a row. */
export function readMetadata(text: string): Metadata {
  return checkMetadata(JSON.parse(text) as GivenMetadata);
}

export function textOfPhoto(metadata: Metadata): PhotoText {
  return {
    title: metadata.title ?? '',
    description: metadata.description ?? '',
    tags: cleanTags(splitTags(metadata.tags ?? '')),
    isPublic: metadata.is_public ?? 1,
    albumId: metadata.album_id || undefined,
  };
}
