/** What a client says of its file when it begins to upload it. */
import { createFormCheck } from '../../platform/http/validation.ts';
import { cleanTags, splitTags } from '../library/tags.ts';
import type { PhotoText } from '../photos/upload/upload.ts';
import { Metadata } from './schema.ts';

/** As tus has it: a name without a value is null. */
export type GivenMetadata = Record<string, string | null>;

const check = createFormCheck(Metadata);

/** Throws invalid that names every bad field. What is null is left out. */
export function checkMetadata(given: GivenMetadata): Metadata {
  return check(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)));
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
