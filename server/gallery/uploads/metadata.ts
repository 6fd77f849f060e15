/** What a client says of its file when it begins to upload it. */
import { isUtf8 } from 'node:buffer';
import { errors, type FieldErrors } from '../../platform/errors/catalogue.ts';
import { addFieldError } from '../../platform/http/field-errors.ts';
import { createFormCheck } from '../../platform/http/validation.ts';
import { cleanTags, splitTags } from '../library/tags.ts';
import type { PhotoText } from '../photos/upload/upload.ts';
import { Metadata } from './schema.ts';

/** A name without a value is null. */
type GivenMetadata = Record<string, string | null>;

/** A name in ASCII, and a value in Base64, which may be missing. */
const pairPattern = /^([!-~]+)(?: ((?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?))?$/;

const check = createFormCheck(Metadata);

/**
 * Reads an `Upload-Metadata` header. Returns what is to be stored, and the metadata. Throws invalid, which names every
 * bad field. Unknown names must be UTF-8, too, because HEAD returns their values.
 */
export function parseMetadata(header: string | string[] | undefined) {
  const given: GivenMetadata = {};
  const problems: FieldErrors = {};
  for (const pair of header === undefined ? [] : String(header).split(',')) {
    const [, name, value = ''] = pairPattern.exec(pair) ?? [];
    // `in` refuses the names that every object has, too.
    if (name === undefined || name in given)
      throw errors.invalid({ message: 'Upload-Metadata is malformed' });
    const bytes = Buffer.from(value, 'base64');
    if (!isUtf8(bytes)) addFieldError(problems, name, 'must be text in UTF-8');
    given[name] = value === '' ? null : bytes.toString();
  }
  return { text: JSON.stringify(given), metadata: checkMetadata(given, problems) };
}

function checkMetadata(given: GivenMetadata, problems: FieldErrors = {}): Metadata {
  return check(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)), problems);
}

/** `text`: of a row. */
export function readMetadata(text: string): Metadata {
  return checkMetadata(JSON.parse(text) as GivenMetadata);
}

/** Writes the header from the text of a row. */
export function writeMetadata(text: string): string {
  return Object.entries(JSON.parse(text) as GivenMetadata)
    .map(([name, value]) => (value === null ? name : `${name} ${Buffer.from(value).toString('base64')}`))
    .join(',');
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
