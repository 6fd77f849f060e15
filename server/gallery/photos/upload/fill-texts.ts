/** Completes what a client sends with a photo by the metadata of the file. */
import type { Exif, FileFacts } from '../../../platform/imaging/metadata/fields.ts';
import { parseFileTime } from '../../../platform/imaging/metadata/wall-clock.ts';
import { maxTags, trimTags } from '../../library/tags.ts';
import { readSidecarFacts } from '../sidecar-fields.ts';

interface Texts {
  title: string;
  description: string;
  tags: string[];
  isComplete?: boolean;
}

/**
 * Fills empty texts from the file's metadata. A title that only repeats the file's name counts as empty, because many
 * programs send the name if nobody typed a title.
 */
export function fillPhotoTexts<Given extends Texts>(
  given: Given,
  fileName: string,
  found: Pick<Exif, 'title' | 'description' | 'tags'>,
): Given {
  if (given.isComplete) return given;
  const isTyped = given.title !== '' && !isNameOfFile(given.title, fileName);
  return {
    ...given,
    title: isTyped ? given.title : found.title || given.title,
    description: given.description || found.description,
    tags: given.tags.length > 0 ? given.tags : trimTags(found.tags).slice(0, maxTags),
  };
}

export function isNameOfFile(title: string, fileName: string): boolean {
  return [fileName, fileName.replace(/\.\w+$/, '')].some((name) => name.trim() === title.trim());
}

/** Reads the facts about a file in the fields of an upload. The schema has checked the times. */
export function readFileFacts(fields: { file_time?: string; utc_time?: string; place?: string }): FileFacts {
  const { file_time } = fields;
  return {
    ...readSidecarFacts(fields),
    ...(file_time !== undefined && { fileTime: parseFileTime(file_time) }),
  };
}
