/** The name that a client gave its file: text to show and to offer for downloads, never a path of ours. */

const mostCharacters = 150;

/** Without folders, control and direction characters, and what file systems or headers trip over. */
export function safeFileName(given: string): string {
  const name = given
    .toWellFormed()
    .replace(/^.*[\\/]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  return Array.from(name).slice(0, mostCharacters).join('');
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
