/** Undecoded blocks of metadata that libvips found in a file. */
export interface MetadataBlocks {
  exif?: Buffer | undefined;
  xmp?: Buffer | undefined;
  iptc?: Buffer | undefined;
  /** Texts of a PNG. */
  comments?: { keyword: string; text: string }[] | undefined;
}
