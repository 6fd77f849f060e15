/**
 * Limits on the structure of a file. `readPictureStructure` refuses a file that exceeds a limit before any decoder starts.
 * MAX_MEGAPIXELS limits the pixels of one frame; `../limits.ts` has its default.
 */
export const structureBounds = {
  /** Maximum pixels of all frames together, and maximum pixels that a decoder produces for one frame. */
  totalPixels: 250_000_000,

  /** Maximum frames of a GIF or WebP. A GIF of 460 KB can hold 20,000 frames of one pixel and take a minute. */
  frames: 1_000,

  /**
   * Maximum decoded pixels per visible pixel. Transparency of the same size doubles the pixels, and a second layer
   * doubles them again. An iPhone's HEIC needs 1.3.
   */
  decodedPerShown: 4,

  /** Decoded pixels that a picture of any size may have, because small pictures may consist of a few large tiles. */
  decodedAtLeast: 4_000_000,

  /** Maximum bytes of pixels that an interlaced PNG holds until its end. */
  heldBytes: 256 * 1024 * 1024,

  /**
   * Maximum segments of a JPEG, chunks of a WebP, or blocks of a GIF. A large photo with all its metadata has some
   * hundreds.
   */
  pieces: 10_000,

  /** Maximum scans of a JPEG, the same as in libvips. Encoders write about ten. */
  scans: 100,

  /** Minimum bytes of a PNG per chunk beyond the first `pieces`. Common encoders write chunks of 8 KB. */
  bytesPerChunk: 1_024,

  /** Maximum compressed texts of a PNG. Editors write a handful, including XMP and IPTC. */
  texts: 100,

  /** Maximum bytes of all compressed texts of a PNG after inflating. The limit is libpng's default for one text. */
  textBytes: 8_000_000,

  /** Maximum bytes of a color profile. Profiles of printers are the largest, with up to 3 MB. */
  profileBytes: 4 * 1024 * 1024,

  /** Maximum copies of the same part of a color profile in a JPEG. Careless programs add a second copy. */
  profileCopies: 4,

  /** Maximum Exif directories in a file, counting repeated visits. A camera writes five. */
  exifDirectories: 16,

  /**
   * Maximum Exif entries with a value, counting repeated visits. A camera writes about a hundred. libvips attaches each
   * entry to the picture and scans all of them for the next.
   */
  exifEntries: 1_000,

  /**
   * Maximum Exif entries of any kind. A pointer to a random position can produce thousands of invalid entries, which
   * libexif skips.
   */
  exifSlots: 20_000,

  /**
   * Maximum bytes of all Exif values. Many entries may share the same bytes, and libexif copies them for each entry.
   */
  exifValueBytes: 4 * 1024 * 1024,

  /** Maximum directories (pages) of a TIFF. libtiff reads all of them, and compares each with the earlier ones. */
  tiffPages: 1_000,

  /**
   * Maximum entries of one TIFF directory. libtiff needs quadratic time for unknown entries: 20 ms for 500. Raw files
   * have up to two hundred.
   */
  tiffEntries: 256,

  /** Maximum entries of all directories of a TIFF, enough for a thousand pages of thirty entries. */
  tiffEntriesInAll: 30_000,

  /**
   * Limits on the bytes of all values of a TIFF: bytes per byte of the file, plus bytes in a file of any size. Many
   * entries may share the same bytes, and libtiff copies them for each entry.
   */
  tiffValuesPerByte: 2,
  tiffValueBytes: 1024 * 1024,

  /** Maximum directories below a TIFF page (SubIFDs), such as smaller copies and masks. */
  tiffSubDirectories: 100,

  /**
   * Maximum boxes in one list of a HEIC or AVIF: at the top level, in `meta`, in its properties and references. libheif
   * reads 1,000 items.
   */
  boxes: 2_000,

  /** Maximum bytes of one table of a HEIC or AVIF: locations, references or properties of items. */
  tableBytes: 1024 * 1024,

  /** Maximum data ranges (extents) of a HEIC or AVIF. Cameras write one per item; libheif reads 256 items. */
  extents: 1_000,

  /** Maximum targets of all references of a HEIC or AVIF. A picture of 48 megapixels has about two hundred. */
  references: 4_000,

  /** Maximum bytes of all extents per byte of the file. libheif copies bytes that two items share. */
  extentsPerByte: 2,

  /** Maximum steps from the primary item of a HEIC or AVIF to a coded item: identity, grid, tile, transparency. */
  itemDepth: 6,

  /** Maximum units (OBUs or NAL units) in the data of all coded items. A photo has two or three in each tile. */
  codedUnits: 10_000,
} as const;
