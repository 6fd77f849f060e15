import { isUtf8 } from 'node:buffer';
import ExifReader from 'exifreader';
import type { MetadataTextTags } from '../../metadata/sources.ts';

const segmentName = 'Photoshop 3.0\0';
const resourceMark = '8BIM';
/** Maximum bytes of IPTC that are read: the content of one segment of a JPEG. */
const maxBytes = 65_533;

const wantedTags = [
  ...['Object Name', 'Caption/Abstract', 'Keywords', 'Date Created', 'Time Created'],
  ...['Sub-location', 'City', 'Province/State', 'Country/Primary Location Name'],
];
const charsetTag = 'Coded Character Set';
/** Escape sequences that announce UTF-8. */
const utf8Marks = ['\x1b%G', '\x1b%/G', '\x1b%/H', '\x1b%/I'];

interface IptcTag {
  value: unknown;
}

/**
 * Reads the wanted IPTC tags. `block` has the content of a JPEG's segment, its resources without the name of the segment,
 * or the tags alone as in a TIFF.
 */
export function readIptcTags(block: Buffer | undefined): MetadataTextTags {
  if (!block) return {};
  try {
    const { iptc = {} } = ExifReader.load(wrapBlock(block), {
      expanded: true,
      includeTags: { iptc: [...wantedTags, charsetTag] },
    });
    const tags = iptc as Record<string, IptcTag | IptcTag[] | undefined>;
    const isMarked = utf8Marks.includes(listBytes(tags[charsetTag])[0]?.toString('latin1') ?? '');
    return Object.fromEntries(
      wantedTags.map((name) => [name, listBytes(tags[name]).map((bytes) => decodeText(bytes, isMarked))]),
    );
  } catch {
    return {};
  }
}

/** Returns the block as the only segment of a JPEG, the form that ExifReader reads. */
function wrapBlock(block: Buffer): Buffer {
  const cut = nameBlock(block).subarray(0, maxBytes);
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xed, 0, 0]);
  head.writeUInt16BE(cut.length + 2, 4);
  return Buffer.concat([head, cut, Buffer.from([0xff, 0xd9])]);
}

/** Adds what is missing before the block: the name of the segment, and the head of the resource with the tags. */
function nameBlock(block: Buffer): Buffer {
  const start = block.toString('latin1', 0, segmentName.length);
  if (start === segmentName) return block;
  const name = Buffer.from(segmentName, 'latin1');
  if (start.startsWith(resourceMark)) return Buffer.concat([name, block]);
  const head = Buffer.from(`${resourceMark}\x04\x04\0\0\0\0\0\0`, 'latin1');
  head.writeUInt32BE(block.length, head.length - 4);
  return Buffer.concat([name, head, block]);
}

function listBytes(tag: IptcTag | IptcTag[] | undefined): Buffer[] {
  return [tag ?? []]
    .flat()
    .flatMap(({ value }) => (Array.isArray(value) ? [Buffer.from(value as number[])] : []));
}

/** Text without a mark is Latin-1, as the standard says, in Microsoft's variant with typographic quotes. */
function decodeText(bytes: Buffer, isMarked: boolean): string {
  return isMarked && isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes);
}
