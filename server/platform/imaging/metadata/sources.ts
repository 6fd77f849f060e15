/**
 * The table of sources: it lists, for each field of a photo, where its value comes from. The first source with a value
 * wins. `docs/metadata.md` describes the table for users.
 */

import {
  cleanCaption,
  cleanMetadataTags,
  cleanPlaceNames,
  cleanTitle,
  decodeWindowsText,
  listKeywordLeaves,
} from './descriptions.ts';
import {
  formatAperture,
  formatCamera,
  formatLens,
  formatShutterTime,
  readIsoSpeed,
  roundFocalLength,
} from './exif-text.ts';
import type { Exif, FileFacts } from './fields.ts';
import { type ExifTags, readGeoLocation, readXmpLocation } from './location.ts';
import { parseFileNameTime } from './name-time.ts';
import { readRating, readRatingPercent } from './rating.ts';
import { toWallClockAt } from './time-zone.ts';
import {
  isCaptureTime,
  parseTimeZoneOffset,
  parseWallClock,
  parseXmpTime,
  readXmpOffset,
} from './wall-clock.ts';

/** Texts by the names of their tags. */
export type MetadataTextTags = Partial<Record<string, string[]>>;

/** Everything that is known about a file before the fields of its photo are chosen. */
export interface FoundMetadata {
  exif: ExifTags;
  xmp: MetadataTextTags;
  iptc: MetadataTextTags;
  /** Texts of a PNG. */
  png: MetadataTextTags;
  facts: FileFacts;
}

type Source<Value> = (found: FoundMetadata) => Value | undefined | null | '' | 0;

/** The time of upload follows these sources, and a time that an export has comes before them. */
const takenTime: Source<number>[] = [
  ({ facts }) => facts.knownTime,
  ({ facts: { sidecar = {} } }) => parseXmpTime(sidecar.DateTimeOriginal),
  ({ facts: { sidecar = {} } }) => parseXmpTime(sidecar.DateCreated),
  ({ facts: { sidecar = {} } }) => parseXmpTime(sidecar.CreateDate),
  ({ exif }) => parseWallClock(exif.DateTimeOriginal?.value),
  ({ exif }) => parseWallClock(exif.DateTimeDigitized?.value),
  ({ xmp }) => parseXmpTime(xmp.DateCreated),
  ({ xmp }) => parseXmpTime(xmp.DateTimeOriginal),
  ({ xmp }) => parseXmpTime(xmp.CreateDate),
  ({ iptc }) => readIptcTime(iptc),
  ({ png }) => parseWallClock(png['Creation Time']),
  ({ exif }) => parseWallClock(exif.DateTime?.value),
  (found) => moveToPlace(found.facts.takeoutTime, found),
  (found) => moveToPlace(readGpsTime(found.exif), found),
  readFileNameTime,
  ({ facts }) => facts.fileTime,
];

/** Offset from UTC of the time that an XMP file, the camera or an editor wrote. */
const timeOffset: Source<number>[] = [
  ({ facts: { sidecar = {} } }) => readXmpOffset(sidecar.DateTimeOriginal),
  ({ facts: { sidecar = {} } }) => readXmpOffset(sidecar.DateCreated),
  ({ facts: { sidecar = {} } }) => readXmpOffset(sidecar.CreateDate),
  ({ exif }) => readExifOffset(exif),
  ({ xmp }) => readXmpOffset(xmp.DateCreated),
  ({ xmp }) => readXmpOffset(xmp.DateTimeOriginal),
  ({ xmp }) => readXmpOffset(xmp.CreateDate),
  ({ iptc }) => parseTimeZoneOffset(iptc['Time Created']?.[0]?.slice(6)),
];

const title: Source<string>[] = [
  ({ facts }) => cleanTitle(facts.sidecar?.title),
  ({ xmp }) => cleanTitle(xmp.title),
  ({ iptc }) => cleanTitle(iptc['Object Name']),
  ({ exif }) => cleanTitle(decodeWindowsText(exif.XPTitle?.value)),
];

const description: Source<string>[] = [
  ({ facts, exif }) => cleanCaption(facts.sidecar?.description, cameraNames(exif)),
  ({ xmp, exif }) => cleanCaption(xmp.description, cameraNames(exif)),
  ({ iptc, exif }) => cleanCaption(iptc['Caption/Abstract'], cameraNames(exif)),
  ({ exif }) => cleanCaption(exif.ImageDescription?.value, cameraNames(exif)),
  ({ exif }) => cleanCaption(decodeWindowsText(exif.XPComment?.value), cameraNames(exif)),
];

/** Tags of an XMP file beside the photo, or those of all sources in the file together. */
function listTags({ xmp, iptc, exif, facts: { sidecar, moreTags } }: FoundMetadata): string[] {
  const beside = cleanMetadataTags(sidecar?.subject, listKeywordLeaves(sidecar?.hierarchicalSubject));
  if (beside.length > 0) return cleanMetadataTags(moreTags, beside);
  return cleanMetadataTags(
    moreTags,
    xmp.subject,
    listKeywordLeaves(xmp.hierarchicalSubject),
    iptc.Keywords,
    decodeWindowsText(exif.XPKeywords?.value).split(';'),
  );
}

const location: Source<Exif['location']>[] = [
  ({ facts: { sidecar = {} } }) => readXmpLocation(sidecar.GPSLatitude, sidecar.GPSLongitude),
  ({ exif }) => readGeoLocation(exif),
  ({ xmp }) => readXmpLocation(xmp.GPSLatitude, xmp.GPSLongitude),
  ({ facts }) => facts.takeoutLocation,
];

const placeNames: Source<string>[] = [
  ({ facts: { sidecar = {} } }) => readXmpPlace(sidecar),
  ({ xmp }) => readXmpPlace(xmp),
  ({ iptc }) =>
    cleanPlaceNames(
      ...[iptc['Sub-location'], iptc.City, iptc['Province/State'], iptc['Country/Primary Location Name']],
    ),
];

function readXmpPlace({ Location, City, State, Country }: MetadataTextTags): string | undefined {
  return cleanPlaceNames(Location, City, State, Country);
}

/** A rating of 0 in the XMP data counts as well: its photo has lost the stars that other sources may still have. */
const rating: Source<number>[] = [
  ({ facts: { sidecar } }) => sidecar?.Rating && readRating(sidecar.Rating),
  ({ facts: { sidecar } }) => readRatingPercent(sidecar?.RatingPercent),
  ({ xmp }) => xmp.Rating && readRating(xmp.Rating),
  ({ xmp }) => readRatingPercent(xmp.RatingPercent),
  ({ exif }) => readRating(exif.Rating?.value),
  ({ exif }) => readRatingPercent(exif.RatingPercent?.value),
];

const camera: Source<string>[] = [
  ({ exif }) => formatCamera(exif.Make?.value, exif.Model?.value),
  ({ xmp }) => formatCamera(xmp.Make, xmp.Model),
];

const lens: Source<string>[] = [
  ({ exif }) => formatLens(exif.LensModel?.value),
  ({ xmp }) => formatLens(xmp.LensModel),
  ({ xmp }) => formatLens(xmp.Lens),
];

const aperture: Source<string>[] = [
  ({ exif }) => formatAperture(exif.FNumber?.value),
  ({ xmp }) => formatAperture(readRatioText(xmp.FNumber)),
];

const shutter: Source<string>[] = [
  ({ exif }) => formatShutterTime(exif.ExposureTime?.value),
  ({ xmp }) => formatShutterTime(readRatioText(xmp.ExposureTime)),
];

const focalLength: Source<number>[] = [
  ({ exif }) => roundFocalLength(exif.FocalLength?.value),
  ({ xmp }) => roundFocalLength(readRatioText(xmp.FocalLength)),
];

const iso: Source<number>[] = [
  ({ exif }) =>
    readIsoSpeed(
      exif.ISOSpeedRatings?.value,
      exif.RecommendedExposureIndex?.value,
      exif.ISOSpeed?.value,
      exif.StandardOutputSensitivity?.value,
    ),
  ({ xmp }) => readIsoSpeed(Number((xmp.PhotographicSensitivity ?? xmp.ISOSpeedRatings)?.[0])),
];

export function chooseMetadataFields(found: FoundMetadata): Exif {
  const { now = Date.now() / 1000 } = found.facts;
  return {
    camera: choose(camera, found) ?? '',
    aperture: choose(aperture, found) ?? '',
    shutter: choose(shutter, found) ?? '',
    iso: choose(iso, found) ?? 0,
    takenTime: choose(takenTime, found, (time) => isCaptureTime(time, now)) ?? null,
    timeOffset: chooseTimeOffset(found),
    lens: choose(lens, found) ?? '',
    focalLength: choose(focalLength, found) ?? 0,
    location: choose(location, found) ?? null,
    placeNames: choose(placeNames, found) ?? '',
    rating: choose(rating, found, Number.isInteger) ?? 0,
    title: choose(title, found) ?? '',
    description: choose(description, found) ?? '',
    tags: listTags(found),
  };
}

/** Maximum distance of a clock from UTC in seconds. */
const maxOffset = 15 * 3600;

/** Returns the offset from UTC, or null if the date is not that of the file. */
function chooseTimeOffset(found: FoundMetadata): number | null {
  if (found.facts.knownTime !== undefined) return null;
  return choose(timeOffset, found, (seconds) => Math.abs(seconds) <= maxOffset) ?? null;
}

function choose<Value>(
  sources: Source<Value>[],
  found: FoundMetadata,
  accepts: (value: Value) => boolean = Boolean,
): Value | undefined {
  for (const read of sources) {
    const value = read(found);
    if (value !== undefined && value !== null && accepts(value as Value)) return value as Value;
  }
  return undefined;
}

function cameraNames({ Make, Model }: ExifTags): unknown[] {
  return [Make?.value, Model?.value];
}

/** Returns the wall clock of an IPTC date such as `20190405` with a time such as `183015+0200`. */
function readIptcTime(iptc: MetadataTextTags): number | undefined {
  const [date = '', time = ''] = [iptc['Date Created']?.[0], iptc['Time Created']?.[0]];
  return parseWallClock(`${date} ${time}`) ?? parseWallClock(date);
}

/** Returns the Unix time of the GPS date and time. */
function readGpsTime({ GPSDateStamp, GPSTimeStamp }: ExifTags): number | undefined {
  const day = parseWallClock(GPSDateStamp?.value);
  const time = GPSTimeStamp?.value;
  if (day === undefined || !Array.isArray(time) || time.length !== 3) return undefined;
  const [hour, minute, second] = time.map((part: unknown) =>
    Array.isArray(part) ? Number(part[0]) / Number(part[1]) : Number.NaN,
  ) as [number, number, number];
  const seconds = Math.floor(hour * 3600 + minute * 60 + second);
  return seconds >= 0 && seconds <= 86_400 ? day + seconds : undefined;
}

function readFileNameTime(found: FoundMetadata): number | undefined {
  const time = parseFileNameTime(found.facts.name ?? '');
  return time?.isUtc ? moveToPlace(time.seconds, found) : time?.seconds;
}

/**
 * Returns the wall clock of a time in UTC: that of the place where the photo was taken. Without a place, the offset of
 * the file counts, and UTC is the last resort.
 */
function moveToPlace(utc: number | undefined, found: FoundMetadata): number | undefined {
  if (utc === undefined) return undefined;
  const place = choose(location, found);
  return place ? toWallClockAt(utc, place) : addOffset(utc, found.exif);
}

/** Moves a time in UTC by the offset of the file, if the file has one. */
function addOffset(utc: number, exif: ExifTags): number {
  return utc + (readExifOffset(exif) ?? 0);
}

function readExifOffset(exif: ExifTags): number | undefined {
  const offsets = [exif.OffsetTimeOriginal, exif.OffsetTimeDigitized, exif.OffsetTime];
  return offsets.map((tag) => parseTimeZoneOffset(tag?.value)).find((seconds) => seconds !== undefined);
}

/** Returns the two numbers of an XMP ratio such as `28/10` or `2.8`. */
function readRatioText(texts: string[] | undefined): unknown {
  const match = /^(\d{1,10}(?:\.\d{1,9})?)(?:\/(\d{1,10}))?$/.exec(texts?.[0] ?? '');
  return match && [Number(match[1]), Number(match[2] ?? 1)];
}
