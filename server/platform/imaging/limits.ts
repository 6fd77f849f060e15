/** Maximum megapixels of one frame, unless MAX_MEGAPIXELS is set. The largest sensors of phones produce 201. */
export const defaultMegapixels = 220;

/**
 * Maximum side in pixels of WebP files and of `resize`, given by the WebP format. A longer original within the pixel
 * limits is accepted, and its renditions are scaled down.
 */
export const maxImageSide = 16_383;

/** Maximum pixels of an opaque still written as WebP. The encoder holds six bytes per pixel. */
export const maxWebpPixels = 30_000_000;

/** Maximum pixels of a transparent still written as WebP. A noisy alpha channel takes 33 bytes per pixel. */
export const maxTransparentWebpPixels = 12_000_000;

/**
 * Maximum bytes of an edited still in a lossless format. A larger opaque still is written as JPEG. Half a megabyte of
 * PNG can grow to 145 MB by `resize`.
 */
export const maxLosslessBytes = 50 * 1024 * 1024;

/** Maximum bytes of Exif data that are read. A JPEG block ends at 64 KB. */
export const maxExifBytes = 128 * 1024;

/** Maximum bytes of XMP that are read. A JPEG block ends at 64 KB; editors with a long history write more. */
export const maxXmpBytes = 1024 * 1024;

/** Maximum pixels that edit steps pass on in memory. Larger pictures are passed on through a file. */
export const maxPixelsInMemory = 8_000_000;

/**
 * Pixels of an animation that are decoded at once. Decoding always starts at the first frame, so small batches cost
 * time. Large batches cost memory: 12 megapixels take 48 MB and hold most animations as a whole.
 */
export const animationBatchPixels = 12_000_000;
