/**
 * Formats Exif values as text. Values come from users' files, so each function accepts any input and returns an empty
 * value for nonsense.
 */
import { cutText, toSingleLineText } from './text.ts';

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
  const modelName = toSingleLineText(model);
  const maker = toSingleLineText(make).replace(companyForm, '').trim();
  const firstOfModel = splitNameIntoWords(modelName)[0];
  const saysMaker = firstOfModel !== undefined && splitNameIntoWords(maker).includes(firstOfModel);
  const full = saysMaker ? modelName : `${maker} ${modelName}`.trim();
  return cutText(full, maxName);
}

export function formatLens(model: unknown): string {
  return cutText(toSingleLineText(model), maxName);
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

/** Largest value of the tag of the sensitivity, which means that another tag has the value. */
const largestShort = 65_535;

/** Returns the sensitivity. `others` are the values of tags for sensitivities that do not fit into the first tag. */
export function readIsoSpeed(value: unknown, ...others: unknown[]): number {
  const number = readInteger(value);
  if (number > 0 && number < largestShort) return number;
  return others.map(readInteger).find((other) => other > 0) ?? number;
}

function readInteger(value: unknown): number {
  const number: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return 0;
  return Math.min(Math.round(number), maxInt32);
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
