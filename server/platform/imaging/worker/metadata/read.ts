/** Reads all metadata of a picture: Exif, XMP, IPTC and the texts of a PNG. A damaged block loses only itself. */
import type { ImageFormat } from '../../formats.ts';
import type { Exif, FileFacts } from '../../metadata/fields.ts';
import { chooseMetadataFields } from '../../metadata/sources.ts';
import type { MetadataBlocks } from './blocks.ts';
import { readExif } from './exif.ts';
import { readGifBlocks } from './gif.ts';
import { readIptcTags } from './iptc.ts';
import { readPngBlocks } from './png.ts';
import { readXmpProperties } from './xmp.ts';

/** Readers of blocks that libvips does not find. */
const readerByFormat: Partial<Record<ImageFormat, (file: string) => Promise<MetadataBlocks>>> = {
  png: readPngBlocks,
  gif: readGifBlocks,
};

export async function readPictureMetadata(
  file: string,
  format: ImageFormat,
  blocks: MetadataBlocks,
  facts: FileFacts,
): Promise<Exif> {
  const found = { ...blocks, ...(await readerByFormat[format]?.(file)) };
  const { exif, xmp, iptc, comments = [] } = found;
  const texts = comments.map(({ keyword, text }): [string, string[]] => [keyword, [text]]);
  return chooseMetadataFields({
    exif: await readExif(file, format, exif),
    xmp: readXmpProperties(xmp),
    iptc: readIptcTags(iptc),
    png: Object.fromEntries(texts),
    facts,
  });
}
