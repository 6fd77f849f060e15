import type { ImageFormat } from '../formats.ts';
import type { DeclaredColor } from './color.ts';

/** Description of a picture from its file's structure, before any decoder has run. */
export interface PictureStructure {
  format: ImageFormat;
  /**
   * Width and height of one frame in pixels as stored, before Exif or a box rotates or crops it. The frame is the
   * screen of a GIF, the canvas of a WebP, or the primary item of a HEIC or AVIF.
   */
  width: number;
  height: number;
  /** Number of frames of a GIF or WebP. 1 for other formats. */
  frames: number;
  /**
   * Number of pixels that a decoder produces for one frame. For HEIC and AVIF this is the sum over all coded items
   * reached from the primary item, with repetition. For a tiled TIFF the number includes whole tiles.
   */
  decodedPixels: number;
  /**
   * Bytes of one pixel's samples as stored: 1.5 for a JPEG with 4:2:0, 3 with 4:4:4, 8 for 16-bit RGBA. HEIC and AVIF
   * count as full color: 3 for 8 bits, 6 for 10 or 12 bits, and a third more with alpha.
   */
  sampleBytes: number;
  /** Whether the decoder holds the whole picture before its first row: progressive JPEG or interlaced PNG. */
  isProgressive: boolean;
  hasAlpha: boolean;
  /**
   * Position at which a JPEG lacks its end marker although it has all its scans. Undefined for a file with an end
   * marker.
   */
  endMarkerAt?: number;
  /** Colors that the file declares by numbers. Undefined for sRGB, or if an ICC profile counts. */
  color?: DeclaredColor;
}
