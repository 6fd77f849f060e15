/** Fields that a picture worker reads from metadata, and the facts that it needs for them. */
import type { Static } from 'typebox';
import { Type } from '../../schema/type.ts';
import { ClosedObject, maxDatabaseInteger } from '../closed-object.ts';
import {
  maxFoundDescription,
  maxFoundPlace,
  maxFoundTag,
  maxFoundTags,
  maxFoundTitle,
} from './descriptions.ts';
import { maxFocalLength } from './exif-text.ts';
import type { GeoLocation } from './location.ts';
import { earliestTakenTime, latestTakenTime } from './wall-clock.ts';

/** Texts of an XMP file by the names of their properties. */
export type SidecarTexts = Record<string, string[]>;

/** Facts about a file from outside the file. Times are wall clocks in seconds, unless they are in UTC. */
export interface FileFacts {
  name?: string | undefined;
  /** Date that the photo had in an earlier version, from a file beside the photo. */
  knownTime?: number | undefined;
  /** Texts of an XMP file beside the photo, as `imaging.xmp` returns them. */
  sidecar?: SidecarTexts | undefined;
  /** Capture time of Google Takeout or iCloud, in UTC. */
  takeoutTime?: number | undefined;
  /** Place of Google Takeout. */
  takeoutLocation?: GeoLocation | undefined;
  /** Tags that the photo gets together with those of its file. */
  moreTags?: string[] | undefined;
  /** Time of the file's last change, by the client's clock. */
  fileTime?: number | undefined;
  /** Current time in Unix seconds. A later capture time is not believed. */
  now?: number | undefined;
}

/**
 * Version of the reader. Raise the version when the reader finds more or other values, and a background job reads all
 * stored photos again.
 */
export const metadataReaderVersion = 2;

/** Pattern without control characters and unpaired surrogates, which databases reject. */
const printable = '^[^\\p{Cc}\\p{Cs}]*$';
const Text = Type.String({ maxLength: 100, pattern: printable });

/** Fields of a photo from its metadata. `""`, 0 and null mean unknown. */
export type Exif = Static<typeof Exif>;
export const Exif = ClosedObject({
  /** Maker and model of the camera, without repeating the maker. */
  camera: Text,
  /** Aperture, e.g. `f/2.8`. */
  aperture: Text,
  /** Exposure time, e.g. `1/125`, or `2` for two seconds. */
  shutter: Text,
  iso: Type.Integer({ minimum: 0, maximum: maxDatabaseInteger }),
  /** Wall clock of the place where the photo was taken, in seconds like Unix time in UTC. */
  takenTime: Type.Union([
    Type.Integer({ minimum: earliestTakenTime, maximum: latestTakenTime }),
    Type.Null(),
  ]),
  /** Seconds by which that wall clock is ahead of UTC, or null if the file does not say. */
  timeOffset: Type.Union([Type.Integer({ minimum: -86_400, maximum: 86_400 }), Type.Null()]),
  /** Model of the lens that took the photo. */
  lens: Text,
  /** Actual focal length in millimeters, not the 35 mm equivalent. */
  focalLength: Type.Number({ minimum: 0, maximum: maxFocalLength }),
  /** Location in degrees; north and east are positive. Visible to the owner and admins only. */
  location: Type.Union([
    ClosedObject({
      latitude: Type.Number({ minimum: -90, maximum: 90 }),
      longitude: Type.Number({ minimum: -180, maximum: 180 }),
    }),
    Type.Null(),
  ]),
  /** Names of the place in the file, such as `Louvre, Paris, France`. Visible to the owner and admins only. */
  placeNames: Type.String({ maxLength: maxFoundPlace, pattern: printable }),
  /** Rating from 1 to 5, or 0 for none. */
  rating: Type.Integer({ minimum: 0, maximum: 5 }),
  title: Type.String({ maxLength: maxFoundTitle, pattern: printable }),
  description: Type.String({ maxLength: maxFoundDescription, pattern: '^(?:[^\\p{Cc}\\p{Cs}]|\\n)*$' }),
  tags: Type.Array(Type.String({ maxLength: maxFoundTag, pattern: printable }), { maxItems: maxFoundTags }),
});
