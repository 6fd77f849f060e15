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

/** What a download is called: the title or the file's own name, with the extension of what is sent. */
export function downloadName(
  photo: { id: number; title: string; file_name: string },
  extension: string,
): string {
  const stem = stemOf(photo.file_name) || safeFileName(photo.title) || `photo-${photo.id}`;
  return `${stem}.${extension}`;
}
