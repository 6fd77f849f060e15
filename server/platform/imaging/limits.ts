/** Pixels of one frame, in millions, unless MAX_MEGAPIXELS says otherwise. Medium-format cameras make 102. */
export const defaultMegapixels = 110;

/**
 * Longest side of what is written in WebP, and of what `resize` may ask for: WebP's format ends there.
 * A longer original within the pixel limits is accepted; its renditions are scaled to fit anyway.
 */
export const maxSide = 16_383;

/** Pixels of an opaque still that is written as WebP, whose encoder holds six bytes of each. */
export const maxWebpPixels = 30_000_000;

/** And of a transparent one: what is noise in its transparency takes 33 bytes a pixel. */
export const maxTransparentWebpPixels = 12_000_000;

/**
 * Bytes of an edited still that is written without loss; a larger one without transparency becomes a JPEG. Half a
 * megabyte of PNG can be drawn out to 145 MB by `resize`.
 */
export const maxLosslessBytes = 50 * 1024 * 1024;

/** Bytes of Exif that are looked at. JPEG ends a block at 64 KB. */
export const maxExifBytes = 128 * 1024;

/** Pixels of an edit's steps that are handed on in memory; larger ones are handed on through a file. */
export const maxPixelsInMemory = 8_000_000;

/**
 * Pixels of an animation decoded at once. A later frame is decoded from the first on, so that small batches cost time
 * and one large one memory: 12 megapixels are 48 MB, and hold most animations whole.
 */
export const batchPixels = 12_000_000;
