import type { Format } from './formats.ts';

/** What a photo says about how it was taken; `""`, 0 and null where it says nothing. */
export type Exif = {
  /** Maker and model, the maker not said twice, at most 100 characters. */
  camera: string;
  /** `f/2.8` */
  aperture: string;
  /** `1/125`, or `2` for two seconds */
  shutter: string;
  iso: number;
  /** Unix seconds; the camera's local time is taken as UTC where the file gives no offset. */
  takenTime: number | null;
};

/** Never throws for a picture that decodes, whatever its Exif block looks like. */
export async function readExif(_file: string, _format: Format): Promise<Exif> {
  throw new Error('not yet');
}
