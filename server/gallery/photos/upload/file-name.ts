/** The name that a client gave its file: text to show and to offer for downloads, never a path of ours. */

const maxCharacters = 150;
/** Of a longer name only the end is looked at: it has the file's own name and its extension. */
const maxLooked = 1000;

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

/** `DSC_0042.JPG` → `DSC_0042`. */
function stemOf(given: string): string {
  return safeFileName(given).replace(/\.[A-Za-z0-9]{1,5}$/, '');
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
  const title = safeFileName(photo.title);
  const stem = isForOwner ? stemOf(photo.file_name) || title : withoutExtension(title, extension);
  return `${stem || `photo-${photo.id}`}.${extension}`;
}

/** Programs upload titles such as `IMG_1.jpg`. */
export function withoutExtension(title: string, extension: string): string {
  return title.toLowerCase().endsWith(`.${extension}`) ? title.slice(0, -extension.length - 1) : title;
}
