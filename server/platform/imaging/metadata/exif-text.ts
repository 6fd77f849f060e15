/**
 * Formats Exif values as text. Values come from users' files, so each function accepts any input and returns an empty
 * value for nonsense.
 */

const maxName = 100;
/** Maximum focal length in millimeters. Telescopes are far below. */
export const maxFocalLength = 100_000;
const maxInt32 = 2_147_483_647;

/**
 * Company suffixes, which are not part of a maker's name: `CASIO COMPUTER CO.,LTD` becomes `CASIO COMPUTER`. The
 * lookbehind prevents a new attempt at every character of a long run of spaces.
 */
const companyForm =
  /(?<![\s,])[\s,]+(?:corporation|corp\.?|company|co\.?(?=[\s,]|$)|inc\.?|ltd\.?|limited|gmbh|ag)(?=[\s,]|$)/gi;

/**
 * Returns maker and model of the camera, without the maker if the model contains it. `NIKON CORPORATION` and `NIKON
 * D70` become `NIKON D70`.
 */
export function formatCamera(make: unknown, model: unknown): string {
  const modelName = readExifText(model);
  const maker = readExifText(make).replace(companyForm, '').trim();
  const firstOfModel = splitNameIntoWords(modelName)[0];
  const saysMaker = firstOfModel !== undefined && splitNameIntoWords(maker).includes(firstOfModel);
  const full = saysMaker ? modelName : `${maker} ${modelName}`.trim();
  return cutName(full);
}

export function formatLens(model: unknown): string {
  return cutName(readExifText(model));
}

function cutName(name: string): string {
  return Array.from(name).slice(0, maxName).join('').trim();
}

/** Returns the aperture, e.g. `f/2.8` or `f/11`. */
export function formatAperture(value: unknown): string {
  const number = readRatio(value);
  if (number === undefined || number > 1000) return '';
  const rounded = Math.round(number * 100) / 100;
  return rounded > 0 ? `f/${rounded}` : '';
}

/** Returns millimeters rounded to a hundredth, or 0 if unknown. */
export function roundFocalLength(value: unknown): number {
  const number = readRatio(value) ?? 0;
  return number > maxFocalLength ? 0 : Math.round(number * 100) / 100;
}

/** Returns the exposure time like cameras and exiftool: `1/125` up to a quarter of a second, `0.3` or `2` above. */
export function formatShutterTime(value: unknown): string {
  // The value is rounded to ten digits like in exiftool, so that 2/1305 becomes the same 1/652 that other programs
  // show.
  const seconds = Number((readRatio(value) ?? 0).toPrecision(10));
  if (seconds < 1e-6 || seconds > 1e6) return '';
  return seconds < 0.25001 ? `1/${Math.round(1 / seconds)}` : String(Math.round(seconds * 10) / 10);
}

export function readIsoSpeed(value: unknown): number {
  const number = Array.isArray(value) ? value[0] : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return 0;
  return Math.min(Math.round(number), maxInt32);
}

/**
 * Returns Unix seconds for `2009:08:29 13:18:08` and an optional offset like `+02:00`. A camera whose clock was never
 * set writes zeros, which return null.
 */
export function parseTakenTime(local: unknown, offset: unknown): number | null {
  const match = /^(\d{4})[:/-](\d\d)[:/-](\d\d)[ T](\d\d):(\d\d):(\d\d)/.exec(readExifText(local));
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(time);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60;
  const taken = time / 1000 - offsetSeconds(readExifText(offset));
  // The year must have four digits in UTC, too, because no other year can be formatted.
  return year >= 1000 && isReal && taken >= earliestTaken && taken <= latestTaken ? taken : null;
}

/** First and last Unix second of the years 1000 to 9999. */
export const earliestTaken = Date.UTC(1000, 0, 1) / 1000;
export const latestTaken = Date.UTC(10_000, 0, 1) / 1000 - 1;

function offsetSeconds(offset: string): number {
  const match = /^([+-])(\d\d):(\d\d)$/.exec(offset);
  if (!match) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60;
  return match[1] === '-' ? -seconds : seconds;
}

/** Returns a string without control characters and broken surrogates, with single spaces. */
function readExifText(value: unknown): string {
  const first = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'string' || first === '<faulty value>') return '';
  const printable = first
    .slice(0, 1000)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu, ' ');
  return printable.replace(/\s+/g, ' ').trim();
}

function readRatio(value: unknown): number | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const number = Number(value[0]) / Number(value[1]);
  return Number.isFinite(number) && number > 0 ? number : undefined;
}

function splitNameIntoWords(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
