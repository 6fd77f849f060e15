/** Pixels of one frame. The largest cameras of today make 100 megapixels; a decoded one takes 300 to 400 MB. */
export const MAX_FRAME_PIXELS = 100_000_000;

/** Pixels of all frames together: what a long animation may cost to decode. */
export const MAX_TOTAL_PIXELS = 250_000_000;

/** A 460 KB GIF can hold 20,000 frames of one pixel and cost a minute under any pixel limit. */
export const MAX_FRAMES = 1_000;

/**
 * Longest side of what is written in WebP, and of what `resize` may ask for: WebP's format ends there.
 * A longer original within the pixel limits is accepted; its renditions are scaled to fit anyway.
 */
export const MAX_SIDE = 16_383;

/**
 * Bytes of pixels that must be held whole while decoding, which no row-by-row reading avoids (interlaced PNG).
 * A 0.5 MB interlaced 16-bit PNG of 64 megapixels would otherwise take half a gigabyte.
 */
export const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** Seconds one sharp pipeline may run: 40 megapixels of AVIF, the slowest to decode, take 3. */
export const RENDER_TIMEOUT_SECONDS = 20;

/** Seconds an edit's pipeline may run: it encodes the full size, and animations frame by frame. */
export const EDIT_TIMEOUT_SECONDS = 60;

/** Milliseconds the HEIC decoder may run before its thread is killed; 12 megapixels take about 1,000. */
export const HEIC_TIMEOUT_MS = 20_000;

/** Bytes of Exif that are looked at. JPEG ends a block at 64 KB; a string of 60 KB costs its reader 20 ms. */
export const MAX_EXIF_BYTES = 128 * 1024;

/** Jobs that hold more than this many bytes run one at a time, so that two of them never meet in memory. */
export const HEAVY_BYTES = 128 * 1024 * 1024;
