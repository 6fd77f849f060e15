/**
 * File names from clients. The server shows them and offers them for downloads, but never uses them as its own paths.
 */

const maxCharacters = 150;
/** Maximum length in bytes of a title in the name of a download. */
const maxTitleBytes = 200;
/**
 * Maximum number of characters that are examined, at the end of the name, which contains the file's own name and
 * extension.
 */
const maxLooked = 1000;
const anyExtension = /\.[A-Za-z0-9]{1,5}$/;
/** Names that Windows reserves for devices, with any extension. */
const reservedNamePattern = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;

/**
 * Returns a file name without folders, control characters, direction characters, and characters that are special in
 * file systems or headers.
 */
export function safeFileName(given: string): string {
  const end = given.slice(-maxLooked).toWellFormed();
  const name = end
    .slice(Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\')) + 1)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replace(/[<>:"|?*]/g, '_');
  return Array.from(trimDots(name)).slice(0, maxCharacters).join('');
}

/** Removes dots and spaces at both ends. A loop is used, because `/[.\s]+$/` takes quadratic time. */
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
 * Returns a name that every file system accepts for a file or folder, or '' if no valid characters are left. Slashes in
 * the text do not separate folders. `maxBytes` must leave space for a number and an extension, because file systems
 * allow 255 bytes.
 */
export function sanitizeFolderName(text: string, maxBytes: number): string {
  const name = trimDots(
    shortenFileName(safeFileName(text.normalize('NFC').replace(/[\\/]/g, '_')), maxBytes),
  );
  return reservedNamePattern.test(name) ? `_${name}` : name;
}

/** Returns a name that every file system accepts, from a file's name without its extension. */
export function sanitizeFileStem(fileName: string, maxBytes: number): string {
  return sanitizeFolderName(fileName.replace(anyExtension, ''), maxBytes);
}

function shortenFileName(name: string, maxBytes: number): string {
  let bytes = 0;
  const kept = Array.from(name).filter((character) => {
    bytes += Buffer.byteLength(character);
    return bytes <= maxBytes;
  });
  return kept.join('');
}

/** Returns a safe file name without its extension: `DSC_0042.JPG` → `DSC_0042`. */
function safeNameStem(given: string): string {
  return safeFileName(given).replace(anyExtension, '');
}

/**
 * Returns the name of a download with the extension of the file that is sent. The owner gets the name of the uploaded
 * file. Others get the photo's title, because a file name may reveal the people in the picture or the place.
 */
export function downloadName(
  photo: { id: number; title: string; file_name: string },
  extension: string,
  isForOwner: boolean,
): string {
  const title = withoutExtension(sanitizeFolderName(photo.title, maxTitleBytes), extension);
  const stem = (isForOwner && safeNameStem(photo.file_name)) || title;
  return `${stem || `photo-${photo.id}`}.${extension}`;
}

/** Removes the extension from a title, because some programs upload titles like `IMG_1.jpg`. */
export function withoutExtension(title: string, extension: string): string {
  return title.toLowerCase().endsWith(`.${extension}`) ? title.slice(0, -extension.length - 1) : title;
}
