/** The name that a client gave its file: text to show and to offer for downloads, never a path of ours. */

const maxCharacters = 150;
/** Of a download's name. */
const maxTitleBytes = 200;
/** Of a longer name only the end is looked at: it has the file's own name and its extension. */
const maxLooked = 1000;
const anyExtension = /\.[A-Za-z0-9]{1,5}$/;
/** What Windows keeps for devices, with any extension. */
const reserved = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;

/** Without folders, control and direction characters, and what file systems or headers trip over. */
export function safeFileName(given: string): string {
  const end = given.slice(-maxLooked).toWellFormed();
  const name = end
    .slice(Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\')) + 1)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replace(/[<>:"|?*]/g, '_');
  return Array.from(trimDots(name)).slice(0, maxCharacters).join('');
}

/** Without dots and spaces at both ends. By hand: `/[.\s]+$/` takes a time that grows with the square of the text. */
export function trimDots(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isDotOrSpace(text[start]!)) start++;
  while (end > start && isDotOrSpace(text[end - 1]!)) end--;
  return text.slice(start, end);
}

function isDotOrSpace(character: string): boolean {
  return character === '.' || character.trim() === '';
}

/**
 * What a file or a folder that we make can be called on every file system, '' where nothing is left of the text. Its
 * slashes do not divide it. `maxBytes`: file systems end at 255, and extension and number come to it.
 */
export function safeStem(text: string, maxBytes: number): string {
  const name = trimDots(shorten(safeFileName(text.normalize('NFC').replace(/[\\/]/g, '_')), maxBytes));
  return reserved.test(name) ? `_${name}` : name;
}

/** The same of a file's name, without its extension. */
export function safeFileStem(fileName: string, maxBytes: number): string {
  return safeStem(fileName.replace(anyExtension, ''), maxBytes);
}

function shorten(name: string, maxBytes: number): string {
  let bytes = 0;
  const kept = Array.from(name).filter((character) => {
    bytes += Buffer.byteLength(character);
    return bytes <= maxBytes;
  });
  return kept.join('');
}

/** `DSC_0042.JPG` → `DSC_0042`. */
function stemOf(given: string): string {
  return safeFileName(given).replace(anyExtension, '');
}

/**
 * What a download is called, with the extension of what is sent: for its owner as the file was, for others by what
 * the owner chose to tell, since a file's name may say who is in the picture and where it was taken.
 */
export function downloadName(
  photo: { id: number; title: string; file_name: string },
  extension: string,
  isForOwner: boolean,
): string {
  const title = withoutExtension(safeStem(photo.title, maxTitleBytes), extension);
  const stem = (isForOwner && stemOf(photo.file_name)) || title;
  return `${stem || `photo-${photo.id}`}.${extension}`;
}

/** Programs upload titles such as `IMG_1.jpg`. */
export function withoutExtension(title: string, extension: string): string {
  return title.toLowerCase().endsWith(`.${extension}`) ? title.slice(0, -extension.length - 1) : title;
}
