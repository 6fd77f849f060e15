/** Reads what the sidecars of a photo say. */
import type { PlannedPhoto } from './planned.ts';
import { getFileName, type ReadSmallFile } from './source-file.ts';
import { type JsonObject, parseJsonObject, readTakeoutFacts } from './takeout-json.ts';

/** Facts from outside of a photo's file. Texts are '' and values undefined if unknown. */
export interface PhotoFacts {
  /** Title that its owner gave, which is not the name of the file. */
  title: string;
  description: string;
  /** Capture time in UTC as Unix seconds. */
  takenTime: number | undefined;
  /** Degrees; north and east are positive. */
  location: { latitude: number; longitude: number } | undefined;
  isFavorite: boolean;
  /** Archived photos are private and get the tag `archive`. */
  isArchived: boolean;
  isTrashed: boolean;
  /** Bytes of the XMP file. The server reads them by the same module as XMP inside of photos. */
  xmp: Uint8Array | undefined;
  /** The description by an export of Lightwell, which the caller checks by the schema `PhotoJson`. */
  exported: JsonObject | undefined;
  /** Reason why the JSON file says nothing, or undefined. */
  jsonProblem: string | undefined;
}

/** Tag of archived photos. */
export const archiveTag = 'archive';

export async function readPhotoFacts(photo: PlannedPhoto, read: ReadSmallFile): Promise<PhotoFacts> {
  const xmp = photo.xmp && (await read(photo.xmp));
  const value = photo.json && parseJsonObject(await read(photo.json));
  const isExported = value?.schema === 'lightwell-photo';
  const takeout = value && !isExported ? readTakeoutFacts(value) : undefined;
  const { icloud } = photo;
  return {
    title: takeout && isTypedTitle(takeout.title, photo) ? takeout.title : '',
    description: takeout?.description ?? '',
    takenTime: takeout?.takenTime ?? icloud?.takenTime,
    location: takeout?.location,
    isFavorite: takeout?.isFavorite === true || icloud?.isFavorite === true,
    isArchived: takeout?.isArchived === true || icloud?.isHidden === true,
    isTrashed: takeout?.isTrashed === true || icloud?.isDeleted === true || photo.isTrashed,
    xmp: xmp && xmp.length > 0 ? xmp : undefined,
    exported: isExported && !photo.isJsonOfOriginal ? value : undefined,
    jsonProblem: photo.json && !value ? 'The file is not JSON, or is larger than 4 MB' : undefined,
  };
}

/** Takeout writes the name of the uploaded file as the title of nearly all photos. */
function isTypedTitle(title: string, { file, isJsonOfOriginal }: PlannedPhoto): boolean {
  return title !== '' && !isJsonOfOriginal && title !== getFileName(file) && !imageName.test(title);
}

const imageName = /\.(?:jpe?g|png|gif|webp|avif|hei[cf]|tiff?|bmp|dng|mp4|mov)$/i;
