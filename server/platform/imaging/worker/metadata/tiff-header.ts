export interface RawPicture {
  width: number;
  height: number;
  channels: 3 | 4;
  icc: Buffer;
}

const shortType = 3;
const longType = 4;
const undefinedType = 7;

/**
 * Returns the header of an uncompressed TIFF for 8-bit RGB(A) pixels that follow. A TIFF carries pixels and color
 * profile to sharp together; sharp treats raw pixels as sRGB.
 */
export function tiffHeader({ width, height, channels, icc }: RawPicture): Buffer {
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, longType, 1, width],
    [257, longType, 1, height],
    [258, shortType, channels, 0], // Number of bits per sample; the position of the values is filled in below.
    [259, shortType, 1, 1], // The pixels of the TIFF are not compressed.
    [262, shortType, 1, 2], // The pixels of the TIFF are RGB.
    [273, longType, 1, 0], // Position of the pixels in the file, filled in below.
    [277, shortType, 1, channels],
    [278, longType, 1, height], // All rows of the TIFF form a single strip.
    [279, longType, 1, width * height * channels],
  ];
  if (channels === 4) entries.push([338, shortType, 1, 2]); // The fourth channel of the TIFF is straight alpha.
  if (icc.length > 0) entries.push([34675, undefinedType, icc.length, 0]);
  const bitsAt = 8 + 2 + entries.length * 12 + 4;
  const iccAt = bitsAt + channels * 2;
  const pixelsAt = iccAt + icc.length;
  const positions: Record<number, number> = { 258: bitsAt, 273: pixelsAt, 34675: iccAt };

  const header = Buffer.alloc(pixelsAt);
  header.write('II*\0', 'latin1');
  header.writeUInt32LE(8, 4);
  header.writeUInt16LE(entries.length, 8);
  entries.forEach(([tag, type, count, value], index) => {
    const at = 10 + index * 12;
    header.writeUInt16LE(tag, at);
    header.writeUInt16LE(type, at + 2);
    header.writeUInt32LE(count, at + 4);
    header.writeUInt32LE(positions[tag] ?? value, at + 8);
  });
  for (let channel = 0; channel < channels; channel++) header.writeUInt16LE(8, bitsAt + channel * 2);
  icc.copy(header, iccAt);
  return header;
}
