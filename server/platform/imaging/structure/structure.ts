import type { Format } from '../formats.ts';

/** The picture as the structure of its file describes it, before a decoder has seen it. */
export interface Structure {
  format: Format;
  /**
   * Pixels of one frame as they are stored, before Exif or a box turns or crops them: of a GIF its screen, of a WebP
   * its canvas, of a HEIC or AVIF the primary item.
   */
  width: number;
  height: number;
  /** Frames of a GIF or WebP; 1 otherwise. */
  frames: number;
  /**
   * Pixels that a decoder makes to show one frame: of HEIC and AVIF the sum of all coded items that the primary one
   * reaches, with repetition; of a tiled TIFF the tiles as a whole.
   */
  decodedPixels: number;
  /**
   * Bytes of one pixel's samples as stored: 1.5 for a JPEG of 4:2:0, 3 of 4:4:4, 8 for 16-bit RGBA. HEIC and AVIF count
   * full colour, whatever their subsampling: 3 for 8 bits, 6 for 10 or 12, and a third more with alpha.
   */
  sampleBytes: number;
  /** Whether the decoder holds all of it before the first row comes out: progressive JPEG, interlaced PNG. */
  isProgressive: boolean;
  hasAlpha: boolean;
}
