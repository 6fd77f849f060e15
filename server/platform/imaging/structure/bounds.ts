/**
 * The bounds on the structure of a file. `readStructure` refuses a file beyond one of them before a decoder starts.
 * MAX_MEGAPIXELS bounds the pixels of one frame (`../limits.ts` has its default).
 */
export const bounds = {
  /** Pixels of all frames together, and pixels that a decoder makes for one frame. */
  totalPixels: 250_000_000,

  /** Frames of a GIF or WebP. A GIF of 460 KB can hold 20,000 frames of one pixel and cost a minute. */
  frames: 1_000,

  /**
   * Decoded pixels for each pixel that is shown. Transparency of the same size doubles them, and a second layer of each
   * doubles them again. An iPhone's HEIC needs 1.3.
   */
  decodedPerShown: 4,

  /** Decoded pixels that a picture of any size may have: small pictures consist of few large tiles. */
  decodedAtLeast: 4_000_000,

  /** Bytes of pixels that an interlaced PNG holds until its end. */
  heldBytes: 256 * 1024 * 1024,

  /** Segments of a JPEG, chunks of a WebP, blocks of a GIF. A large photo with all its metadata has some hundreds. */
  pieces: 10_000,

  /** Scans of a JPEG: libvips ends at as many. Encoders write about ten. */
  scans: 100,

  /** Bytes of a PNG for each chunk beyond the first `pieces`. Common encoders write chunks of 8 KB. */
  bytesPerChunk: 1_024,

  /** Compressed texts of a PNG. Editors write a handful, with XMP and IPTC. */
  texts: 100,

  /** Bytes of all compressed texts of a PNG, once inflated: libpng's own default for one text. */
  textBytes: 8_000_000,

  /** Bytes of a colour profile. Printers have the largest, of up to 3 MB. */
  profileBytes: 4 * 1024 * 1024,

  /** Copies of the same part of a colour profile in a JPEG. Careless programs add a second one. */
  profileCopies: 4,

  /** Exif directories in one file, repeated visits included. A camera writes five. */
  exifDirectories: 16,

  /**
   * Exif entries with a value, repeated visits included. A camera writes about a hundred. libvips attaches each of them
   * to the picture and goes through all of them for the next.
   */
  exifEntries: 1_000,

  /** Exif entries of any kind: a pointer into the middle of nowhere finds thousands, which libexif passes over. */
  exifSlots: 20_000,

  /** Bytes of all Exif values. Many entries may share the same bytes, of which libexif makes a copy for each. */
  exifValueBytes: 4 * 1024 * 1024,

  /** Directories (pages) of a TIFF. libtiff reads all of them and looks back at each. */
  tiffPages: 1_000,

  /**
   * Entries of one TIFF directory. libtiff takes quadratic time for unknown ones: 20 ms for 500. Raw files have up to two
   * hundred.
   */
  tiffEntries: 256,

  /** Entries of all directories of a TIFF: a thousand pages of some twenty entries each. */
  tiffEntriesInAll: 30_000,

  /**
   * Bytes of all values of a TIFF for each byte of the file, and bytes of values in a file of any size. Many entries may
   * share the same bytes, of which libtiff makes a copy for each.
   */
  tiffValuesPerByte: 2,
  tiffValueBytes: 1024 * 1024,

  /** Directories below a TIFF page (SubIFDs): smaller copies, masks. */
  tiffSubDirectories: 100,

  /** Boxes in a row of a HEIC or AVIF: at the top, in `meta`, its properties and references. libheif reads 1,000 items. */
  boxes: 2_000,

  /** Bytes of one table of a HEIC or AVIF: its items' locations, references, properties. */
  tableBytes: 1024 * 1024,

  /** Pieces of a HEIC's or AVIF's data (extents). Cameras write one an item; libheif reads 256 items. */
  extents: 1_000,

  /** Targets of all references of a HEIC or AVIF. A picture of 48 megapixels has some two hundred. */
  references: 4_000,

  /** Bytes of all extents for each byte of the file. libheif makes a copy of what two items share. */
  extentsPerByte: 2,

  /** Steps from the primary item of a HEIC or AVIF to a coded one: identity, grid, tile, transparency. */
  itemDepth: 6,

  /** Units (OBUs, NAL units) in the data of all coded items. A photo has two or three in each of its tiles. */
  codedUnits: 10_000,
} as const;
