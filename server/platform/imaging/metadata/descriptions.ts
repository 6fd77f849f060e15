/** Cleans titles, descriptions and tags of metadata. */
import { cutText, toMultilineText, toSingleLineText } from './text.ts';

export const maxFoundTitle = 200;
export const maxFoundDescription = 2000;
export const maxFoundTag = 50;
/** Maximum length of the names of a place together. */
export const maxFoundPlace = 300;
/** Maximum number of tags that a worker reports. The server keeps fewer, each once. */
export const maxFoundTags = 100;

/** Texts that cameras, phones and programs write into every file. */
const boilerplate = new Set([
  'sony dsc',
  'samsung camera pictures',
  'my beautiful picture',
  'exif_jpeg_picture',
  'exif jpeg',
  'pentax image',
  'default',
  'untitled',
  'scanner',
  'screenshot',
  'binary comment',
  'charset=ascii',
  'created by imlib',
  'iclarified',
  'processed with vsco',
  'dvc 10.1 hdmi',
]);

/** Texts such as `OLYMPUS DIGITAL CAMERA`, versions of a standard, and the path of the file on the camera's card. */
const cameraText = /^(?:[\p{L}\d.,-]+ ){0,3}digital ?(?:still ?)?camera$|^dcf [\d.]+$|^dcim\b/u;

/** Names of camera modes that phones of Huawei and Honor write as a description. */
const phoneMode =
  /^(?:dav|cof|edf|mde|nor|rbt|fbt|ptr|btr|btf|hdr|mon|rpt|qrf|bty|sdr|vhdr|rhdr|hdrpl|fshbty|frem|burst|oznor|oznorwo|frontbhdp|fbthdr|btfhdr|btfmdn|dualbt|hrz|jpn|[a-z]{3,6}_(?:soft|hdrb|vivid|standard))$/;

/** Returns a title, or undefined if there is none. */
export function cleanTitle(value: unknown): string | undefined {
  return cutText(toSingleLineText(value), maxFoundTitle) || undefined;
}

/** Returns the names of a place from the smallest to the largest, such as `Louvre, Paris, France`, each once. */
export function cleanPlaceNames(...names: unknown[]): string | undefined {
  const cleaned = names.map((name) => cutText(toSingleLineText(name), maxFoundTitle)).filter(Boolean);
  return cutText([...new Set(cleaned)].join(', '), maxFoundPlace) || undefined;
}

/** Returns a description, or undefined for none and for one that the camera writes into every file. */
export function cleanCaption(value: unknown, camera: unknown[]): string | undefined {
  const text = cutText(toMultilineText(value), maxFoundDescription);
  return text === '' || isBoilerplate(text, camera) ? undefined : text;
}

function isBoilerplate(text: string, camera: unknown[]): boolean {
  const plain = toSingleLineText(text).toLowerCase();
  const [make = '', model = ''] = camera.map((name) => toSingleLineText(name).toLowerCase());
  return (
    !/[\p{L}\p{N}]/u.test(plain) ||
    boilerplate.has(plain) ||
    cameraText.test(plain) ||
    phoneMode.test(plain) ||
    /^<.*samsung.*>$/.test(plain) ||
    [make, model, `${make} ${model}`, `${model} image`].includes(plain)
  );
}

/** Returns the tags that have text. A tag that is too long is cut. */
export function cleanMetadataTags(...lists: (string[] | undefined)[]): string[] {
  const tags = lists.flatMap((list) => list ?? []).map((tag) => cutText(toSingleLineText(tag), maxFoundTag));
  return [...new Set(tags.filter(Boolean))].slice(0, maxFoundTags);
}

/** Returns the last parts of hierarchical keywords: `Places|Alps|Zermatt` becomes `Zermatt`. */
export function listKeywordLeaves(subjects: string[] = []): string[] {
  return subjects.map((subject) => subject.slice(subject.lastIndexOf('|') + 1));
}

/** Decodes a text of Windows, which is UTF-16 in a list of bytes. */
export function decodeWindowsText(value: unknown): string {
  if (!Array.isArray(value) || !value.every((byte) => typeof byte === 'number')) return '';
  return Buffer.from(value).toString('utf16le').replace(/\0.*$/s, '');
}
