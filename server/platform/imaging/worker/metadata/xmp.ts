import { isUtf8 } from 'node:buffer';
import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import ExifReader from 'exifreader';
import { maxSidecarText, maxSidecarTexts } from '../../jobs.ts';
import { maxXmpBytes } from '../../limits.ts';
import type { SidecarTexts } from '../../metadata/fields.ts';
import type { MetadataTextTags } from '../../metadata/sources.ts';

/** Maximum tags and attributes of the XML. A parser needs 10 microseconds for each. */
const maxTags = 20_000;

/** Properties that are read. ExifReader names them without their namespace. */
const wantedProperties = [
  'title',
  'description',
  'subject',
  'hierarchicalSubject',
  'DateCreated',
  'DateTimeOriginal',
  'CreateDate',
  'Rating',
  'RatingPercent',
  'GPSLatitude',
  'GPSLongitude',
  'Location',
  'City',
  'State',
  'Country',
  'Make',
  'Model',
  'LensModel',
  'Lens',
  'FNumber',
  'ExposureTime',
  'FocalLength',
  'ISOSpeedRatings',
  'PhotographicSensitivity',
];

/** Properties of an XMP file beside a photo. The fields of the camera come from the photo itself. */
const sidecarProperties = [
  'title',
  'description',
  'subject',
  'hierarchicalSubject',
  'DateTimeOriginal',
  'DateCreated',
  'CreateDate',
  'GPSLatitude',
  'GPSLongitude',
  'Location',
  'City',
  'State',
  'Country',
  'Rating',
  'RatingPercent',
];

/** Reads an XMP file beside a photo, and cuts its texts to the bounds of the job's answer. */
export function readSidecarTexts(block: Buffer): SidecarTexts {
  const texts = Object.entries(readXmpProperties(block)).filter(([name]) => sidecarProperties.includes(name));
  return Object.fromEntries(
    texts.map(([name, values = []]) => [
      name,
      values.slice(0, maxSidecarTexts).map((text) => text.slice(0, maxSidecarText).toWellFormed()),
    ]),
  );
}

interface XmpValue {
  value: unknown;
  attributes?: unknown;
}

/**
 * Reads the wanted properties of an XMP block. A property of several languages begins with the default one. Returns
 * nothing for a block that is damaged or too large.
 */
export function readXmpProperties(block: Buffer | undefined): MetadataTextTags {
  const rdf = block && block.length <= maxXmpBytes ? cutRdf(decodeXmp(block)) : '';
  if (rdf === '' || countMarks(rdf) > maxTags) return {};
  const escaped = escapeCharacterData(rdf);
  if (escaped.length > maxXmpBytes) return {};
  const packet = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">${escaped}</x:xmpmeta>`;
  try {
    const domParser = new DOMParser({ onError: onErrorStopParsing });
    const { xmp = {} } = ExifReader.load(Buffer.from(packet), {
      expanded: true,
      domParser,
      includeTags: { xmp: wantedProperties },
    });
    return Object.fromEntries(
      wantedProperties.flatMap((name) => {
        const tag = (xmp as Record<string, XmpValue | undefined>)[name];
        return tag ? [[name, listTexts(tag)]] : [];
      }),
    );
  } catch {
    return {};
  }
}

/** Decodes UTF-8 and UTF-16. Bytes that are neither are Latin-1, which some programs write by mistake. */
function decodeXmp(block: Buffer): string {
  if (block.length < 2) return '';
  const start = block.readUInt16BE(0);
  if (start === 0xfeff || start === 0x003c) return new TextDecoder('utf-16be').decode(block);
  if (start === 0xfffe || start === 0x3c00) return new TextDecoder('utf-16le').decode(block);
  return block.toString(isUtf8(block) ? 'utf8' : 'latin1');
}

/** Returns the RDF element without its surroundings, which also removes a document type with entities. */
function cutRdf(text: string): string {
  const start = text.indexOf('<rdf:RDF');
  const end = text.lastIndexOf('</rdf:RDF>');
  return start === -1 || end < start ? '' : text.slice(start, end + '</rdf:RDF>'.length);
}

/** ExifReader passes over CDATA sections, in which some programs write captions. */
function escapeCharacterData(xml: string): string {
  const [first = '', ...sections] = xml.split('<![CDATA[');
  return sections.reduce((escaped, section) => {
    const end = Math.max(0, section.indexOf(']]>'));
    const text = section.slice(0, end).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return escaped + text + section.slice(end + ']]>'.length);
  }, first);
}

function countMarks(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3c || code === 0x3d) count++;
  }
  return count;
}

function listTexts({ value }: XmpValue): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [{ value }];
  const texts = items.flatMap((item) => {
    const { value: text, attributes } = item as XmpValue;
    if (typeof text !== 'string') return [];
    const isDefault = (attributes as { lang?: unknown } | undefined)?.lang === 'x-default';
    return [{ text, isDefault }];
  });
  return texts.sort((one, other) => Number(other.isDefault) - Number(one.isDefault)).map(({ text }) => text);
}
