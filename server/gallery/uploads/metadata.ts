/** Reads and writes the metadata that a client sends with a new upload, in the header `Upload-Metadata`. */
import { isUtf8 } from 'node:buffer';
import { errors, type FieldErrors } from '../../platform/errors/catalogue.ts';
import { addFieldError } from '../../platform/http/field-errors.ts';
import { createFormCheck } from '../../platform/http/validation.ts';
import { readRequestedLevel } from '../library/level-fields.ts';
import { cleanTags, splitTags } from '../library/tags.ts';
import { readFileFacts } from '../photos/upload/fill-texts.ts';
import type { UploadedPhotoDetails } from '../photos/upload/upload.ts';
import { UploadMetadata } from './schema.ts';

/** Metadata by name. A name without a value has the value null. */
type GivenMetadata = Record<string, string | null>;

/** Matches one pair of the header: a name in ASCII and an optional value in Base64. */
const pairPattern = /^([!-~]+)(?: ((?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?))?$/;

const checkMetadataFields = createFormCheck(UploadMetadata);

/**
 * Reads an `Upload-Metadata` header. Returns the text for the row and the checked metadata. Throws invalid with every
 * bad field. Values of unknown names must also be UTF-8, because the response to HEAD contains them.
 */
export function parseUploadMetadata(header: string | string[] | undefined) {
  const given: GivenMetadata = {};
  const problems: FieldErrors = {};
  for (const pair of header === undefined ? [] : String(header).split(',')) {
    const [, name, value = ''] = pairPattern.exec(pair) ?? [];
    // `in` also refuses names like `toString`, which every object has.
    if (name === undefined || name in given)
      throw errors.invalid({ message: 'Upload-Metadata is malformed' });
    const bytes = Buffer.from(value, 'base64');
    if (!isUtf8(bytes)) addFieldError(problems, name, 'Must be text in UTF-8');
    given[name] = value === '' ? null : bytes.toString();
  }
  return { text: JSON.stringify(given), metadata: checkMetadata(given, problems) };
}

function checkMetadata(given: GivenMetadata, problems: FieldErrors = {}): UploadMetadata {
  return checkMetadataFields(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
    problems,
  );
}

/** Reads the metadata of an upload from the text in its row. */
export function readUploadMetadata(text: string): UploadMetadata {
  return checkMetadata(JSON.parse(text) as GivenMetadata);
}

/** Writes the header `Upload-Metadata` from the text in an upload's row. */
export function formatUploadMetadata(text: string): string {
  return Object.entries(JSON.parse(text) as GivenMetadata)
    .map(([name, value]) => (value === null ? name : `${name} ${Buffer.from(value).toString('base64')}`))
    .join(',');
}

export function toUploadedPhotoDetails(metadata: UploadMetadata): UploadedPhotoDetails {
  return {
    title: metadata.title ?? '',
    description: metadata.description ?? '',
    tags: cleanTags(splitTags(metadata.tags ?? '')),
    level: readRequestedLevel(metadata),
    albumId: metadata.album_id || undefined,
    facts: readFileFacts(metadata),
    xmp: metadata.xmp,
  };
}
