/** Reads and writes a place as text: latitude and longitude in degrees. */
import type { Photo } from '../api/types.ts';

export type Place = NonNullable<Photo['location']>;

/** Addresses of maps name a place as `@46.02,7.74`, `=46.02,7.74`, `geo:46.02,7.74` or `#map=15/46.02/7.74`. */
const addressPattern = /(?:@|=|geo:|#map=[\d.]+\/|\/)(-?\d+(?:\.\d+)?)(?:,|%2C|~|\/)\+?(-?\d+(?:\.\d+)?)/i;
/** The marker of an address counts before the center of the map: OpenStreetMap, Google Maps, phones with Android. */
const markerPatterns = [
  /mlat=(-?[\d.]+)&mlon=(-?[\d.]+)/,
  /!3d(-?[\d.]+)!4d(-?[\d.]+)/,
  /^geo:0,0\?q=(-?[\d.]+)(?:,|%2C)(-?[\d.]+)/i,
];
/** Degrees, and after them minutes and seconds, with a letter for the direction. */
const anglePattern =
  /^([NSEW])?\s*([+-]?\d+(?:\.\d+)?)\s*°?\s*(?:(\d+(?:\.\d+)?)\s*['′’]\s*(?:(\d+(?:\.\d+)?)\s*(?:"|″|”|''))?)?\s*([NSEW])?$/i;

/** Two angles with letters after or before their numbers. */
const letterPatterns = [
  /^(.*?[NS])[\s,;]*(.*[EW])$/i,
  /^(.*?[EW])[\s,;]*(.*[NS])$/i,
  /^([NS].*?)[\s,;]+([EW].*)$/i,
];

/** Returns the place in a text such as "46.0207, 7.7491" or a map's address, or undefined if there is none. */
export function parsePlace(text: string): Place | undefined {
  const given = text.trim().replaceAll('−', '-');
  const marker = markerPatterns.map((pattern) => pattern.exec(given)).find(Boolean);
  const found = marker ?? (given.includes(':') ? addressPattern.exec(given) : null);
  if (found) return createPlace(Number(found[1]), Number(found[2]));
  const parts = splitPlace(given.replaceAll(/[()[\]]/g, ' ').trim());
  if (parts?.length !== 2) return undefined;
  const [first, second] = parts.map(readAngle);
  if (!first || !second || (first.axis && first.axis === second.axis)) return undefined;
  const isSwapped = first.axis === 'longitude' || second.axis === 'latitude';
  return isSwapped ? createPlace(second.degrees, first.degrees) : createPlace(first.degrees, second.degrees);
}

export const formatPlace = ({ latitude, longitude }: Place): string => `${latitude}, ${longitude}`;

/** Returns the address of a place on OpenStreetMap, for a link that the user opens. */
export const createMapUrl = ({ latitude, longitude }: Place): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`;

function createPlace(latitude: number, longitude: number): Place | undefined {
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isOnEarth ? { latitude, longitude } : undefined;
}

/** Splits at a separator. A comma between digits is a decimal comma if another separator stands between the numbers. */
function splitPlace(text: string): string[] | undefined {
  const letters = letterPatterns.map((pattern) => pattern.exec(text)).find(Boolean);
  const pair = letters?.slice(1) ?? text.split(/\s*;\s*|\s*，\s*|,\s+|\t+/);
  if (pair.length === 2) return pair.map((part) => part.trim().replace(/(\d),(\d)/g, '$1.$2'));
  const spaced = text.split(/\s+/);
  if (spaced.length === 2) return spaced.map((part) => part.replace(',', '.'));
  return spaced.length === 1 && !text.includes('°') ? text.split(',') : undefined;
}

function readAngle(text: string): { degrees: number; axis?: 'latitude' | 'longitude' } | undefined {
  const [, before, whole, minutes = 0, seconds = 0, after] = anglePattern.exec(text) ?? [];
  if (whole === undefined || (before && after) || Number(minutes) >= 60 || Number(seconds) >= 60) return;
  const letter = (before ?? after)?.toUpperCase();
  const size = Math.abs(Number(whole)) + Number(minutes) / 60 + Number(seconds) / 3600;
  const isNegative = whole.startsWith('-') !== (letter !== undefined && 'SW'.includes(letter));
  const degrees = Math.round((isNegative ? -size : size) * 1e6) / 1e6;
  if (!letter) return { degrees };
  return { degrees, axis: 'NS'.includes(letter) ? 'latitude' : 'longitude' };
}
