/** Writes what is known about a photo as an XMP file, which other programs read beside the photo's file. */
import type { PhotoFields } from '../../../gallery/photos/metadata/fields.ts';
import type { PhotoMetadata } from '../../../gallery/photos/metadata/store.ts';
import type { GeoLocation } from '../../../platform/imaging/metadata/location.ts';

const namespaces = {
  dc: 'http://purl.org/dc/elements/1.1/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
};

/** Returns the XMP file of a photo, or '' if nothing is known that the file could say. */
export function buildXmpSidecar(fields: PhotoFields, metadata: PhotoMetadata): string {
  const properties = [
    ...listTexts(fields),
    ...listDates(fields, metadata),
    ...(fields.location ? listPlace(fields.location) : []),
    ...(fields.rating > 0 || metadata.corrected.includes('rating')
      ? [element('xmp:Rating', String(fields.rating))]
      : []),
  ];
  if (properties.length === 0) return '';
  const prefixes = Object.entries(namespaces).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`);
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    `<rdf:Description rdf:about="" ${prefixes.join(' ')}>`,
    ...properties,
    '</rdf:Description>',
    '</rdf:RDF>',
    '</x:xmpmeta>',
    '<?xpacket end="w"?>',
    '',
  ].join('\n');
}

function listTexts({ title, description, tags }: PhotoFields): string[] {
  const inDefaultLanguage = (text: string) => `<rdf:Alt>${item(text, ' xml:lang="x-default"')}</rdf:Alt>`;
  return [
    ...(title ? [wrap('dc:title', inDefaultLanguage(title))] : []),
    ...(description ? [wrap('dc:description', inDefaultLanguage(description))] : []),
    ...(tags.length > 0
      ? [wrap('dc:subject', `<rdf:Bag>${tags.map((tag) => item(tag)).join('')}</rdf:Bag>`)]
      : []),
  ];
}

/**
 * Returns the date, unless the photo has only the time of its upload. A corrected date has no offset from UTC, because
 * its offset is unknown.
 */
function listDates({ taken_time }: PhotoFields, { file, timeOffset, corrected }: PhotoMetadata): string[] {
  const isCorrected = corrected.includes('taken_time');
  if (!isCorrected && file.taken_time !== taken_time) return [];
  const offset = isCorrected || timeOffset === null ? '' : formatOffset(timeOffset);
  const date = `${new Date(taken_time * 1000).toISOString().slice(0, 19)}${offset}`;
  return ['photoshop:DateCreated', 'exif:DateTimeOriginal'].map((name) => element(name, date));
}

function formatOffset(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${seconds < 0 ? '-' : '+'}${hours}:${rest}`;
}

function listPlace({ latitude, longitude }: GeoLocation): string[] {
  return [
    element('exif:GPSVersionID', '2.3.0.0'),
    element('exif:GPSLatitude', formatDegrees(latitude, 'N', 'S')),
    element('exif:GPSLongitude', formatDegrees(longitude, 'E', 'W')),
  ];
}

/** Returns degrees and minutes such as `46,1.242N`. Eight digits of a minute are more exact than the stored degrees. */
function formatDegrees(value: number, positive: string, negative: string): string {
  // Whole numbers keep the minutes below 60.
  const size = Math.round(Math.abs(value) * 60e8);
  const degrees = Math.floor(size / 60e8);
  const minutes = ((size - degrees * 60e8) / 1e8).toFixed(8);
  return `${degrees},${minutes}${value < 0 ? negative : positive}`;
}

const element = (name: string, text: string) => wrap(name, escapeXml(text));
const item = (text: string, attributes = '') => `<rdf:li${attributes}>${escapeXml(text)}</rdf:li>`;
const wrap = (name: string, content: string) => `<${name}>${content}</${name}>`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' };

/** Escapes a text, without the characters that XML 1.0 does not allow. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>\r]/g, (character) => entities[character]!);
}
