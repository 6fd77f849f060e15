/** Reads the JSON files of Google Takeout. Their content is not trusted. */

/** Facts of Takeout about a photo. Times are Unix seconds. Texts are '' if unknown. */
export interface TakeoutFacts {
  title: string;
  description: string;
  takenTime: number | undefined;
  location: { latitude: number; longitude: number } | undefined;
  isFavorite: boolean;
  isArchived: boolean;
  isTrashed: boolean;
}

export interface TakeoutAlbum {
  title: string;
  description: string;
}

export type JsonObject = Record<string, unknown>;

/** Parses a JSON object. Returns undefined for other content and for bytes that are no UTF-8. */
export function parseJsonObject(bytes: Uint8Array): JsonObject | undefined {
  if (bytes.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the facts, or undefined if the JSON is not Takeout's description of a photo. */
export function readTakeoutFacts(value: JsonObject): TakeoutFacts | undefined {
  if (!isObject(value.photoTakenTime) && !isObject(value.geoData) && typeof value.title !== 'string') {
    return undefined;
  }
  return {
    title: readText(value.title),
    description: readText(value.description),
    takenTime: readTime(value.photoTakenTime),
    location: readPlace(value.geoData) ?? readPlace(value.geoDataExif),
    isFavorite: value.favorited === true,
    isArchived: value.archived === true,
    isTrashed: value.trashed === true,
  };
}

/** Returns title and description of an album, or undefined if the JSON is not Takeout's description of an album. */
export function readTakeoutAlbum(value: JsonObject): TakeoutAlbum | undefined {
  const album = isObject(value.albumData) ? value.albumData : value;
  const isOther = 'photoTakenTime' in album || 'creationTime' in album || 'schema' in album;
  if (isOther || typeof album.title !== 'string') return undefined;
  return { title: album.title, description: readText(album.description) };
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Unix time of the last second of the year 9999. */
const maxSeconds = 253_402_300_799;

/** Takeout writes 0 for an unknown time. */
function readTime(value: unknown): number | undefined {
  if (!isObject(value)) return undefined;
  const { timestamp } = value;
  const isWritten =
    typeof timestamp === 'number' || (typeof timestamp === 'string' && timestamp.trim() !== '');
  const seconds = isWritten ? Number(timestamp) : Number.NaN;
  if (!Number.isInteger(seconds) || seconds === 0 || Math.abs(seconds) > maxSeconds) return undefined;
  return seconds;
}

/** Takeout writes 0, 0 for an unknown place. */
function readPlace(value: unknown): TakeoutFacts['location'] {
  if (!isObject(value)) return undefined;
  const { latitude, longitude } = value;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  return latitude === 0 && longitude === 0 ? undefined : { latitude, longitude };
}
