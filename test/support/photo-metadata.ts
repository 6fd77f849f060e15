/** Creates small JPEGs and PNGs with metadata, as cameras and editors write it. */
import sharp from 'sharp';
import { createPngChunk } from './hostile-metadata.ts';

type Tags = Record<string, string>;

export interface WrittenMetadata {
  IFD0?: Tags;
  IFD2?: Tags;
  IFD3?: Tags;
  /** Attributes and elements inside the only description of the RDF. */
  xmp?: string;
  /** IPTC data sets of record 2 by number, as texts of Latin-1. */
  iptc?: [dataSet: number, text: string][];
  /** Marks the IPTC data as UTF-8. */
  isUtf8?: boolean;
}

const namespaces = [
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:exif="http://ns.adobe.com/exif/1.0/"',
  'xmlns:lr="http://ns.adobe.com/lightroom/1.0/"',
  'xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"',
  'xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
].join(' ');

/** Creates an XMP packet. `attributes` stand in the description's tag and `elements` inside it. */
export function createXmp(attributes: string, elements = ''): string {
  return (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">' +
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    `<rdf:Description rdf:about="" ${namespaces} ${attributes}>${elements}</rdf:Description>` +
    '</rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
  );
}

/** Creates an element of XMP with a list of texts. */
export function createXmpList(name: string, texts: string[], kind = 'Bag'): string {
  const items = texts.map((text) => `<rdf:li>${text}</rdf:li>`).join('');
  return `<${name}><rdf:${kind}>${items}</rdf:${kind}></${name}>`;
}

let number = 0;

/** Creates a JPEG of less than 2 kB. Each has another color, so that no two have the same bytes. */
export async function createPhoto({ xmp, iptc, isUtf8, ...exif }: WrittenMetadata = {}): Promise<Buffer> {
  number++;
  const background = { r: number % 256, g: Math.floor(number / 256), b: 90 };
  let image = sharp({ create: { width: 24, height: 16, channels: 3, background } }).withExif(exif);
  if (xmp) image = image.withXmp(xmp);
  const jpeg = await image.jpeg().toBuffer();
  return iptc ? addSegment(jpeg, createIptc(iptc, isUtf8)) : jpeg;
}

/** Creates a PNG with chunks of metadata before or after its pixels. */
export async function createPngPhoto(chunks: Buffer[], isAfter = false): Promise<Buffer> {
  const png = await sharp(await createPhoto())
    .png()
    .toBuffer();
  const at = isAfter ? png.length - 12 : 33;
  return Buffer.concat([png.subarray(0, at), ...chunks, png.subarray(at)]);
}

export function createPngText(keyword: string, text: string): Buffer {
  return createPngChunk('tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1'));
}

/** Creates the content of a JPEG's segment with IPTC data sets of record 2. */
export function createIptc(dataSets: [number, string][], isUtf8 = false): Buffer {
  const mark = isUtf8 ? [createDataSet(1, 90, Buffer.from('\x1b%G', 'latin1'))] : [];
  const sets = dataSets.map(([dataSet, text]) =>
    createDataSet(2, dataSet, Buffer.from(text, isUtf8 ? 'utf8' : 'latin1')),
  );
  const data = Buffer.concat([...mark, ...sets]);
  const head = Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\0', 'latin1');
  head.writeUInt32BE(data.length, head.length - 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function createDataSet(record: number, dataSet: number, bytes: Buffer): Buffer {
  const head = Buffer.from([0x1c, record, dataSet, 0, 0]);
  head.writeUInt16BE(bytes.length, 3);
  return Buffer.concat([head, bytes]);
}

/** Adds a segment of Photoshop to a JPEG. */
export function addSegment(jpeg: Buffer, content: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xed, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}
