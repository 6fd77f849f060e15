/** Cleans titles, descriptions and names that an import takes from other programs. */

const maxTitle = 200;
const maxDescription = 2000;
const maxAlbumName = 100;

/** Returns the title of a photo: the title from the file beside it, or the file name without its extension. */
export function choosePhotoTitle(fileName: string, told: string): string {
  const title = told === '' || told === fileName ? fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '') : told;
  return cleanLine(title, maxTitle);
}

export function cleanDescription(told: string): string {
  const text = told.toWellFormed().replace(/\r\n?/g, '\n');
  return cutText(text.replace(/[^\P{Cc}\n\t]/gu, ' ').trim(), maxDescription);
}

export function chooseAlbumName(folderName: string): string {
  return cleanLine(folderName, maxAlbumName) || 'Untitled';
}

function cleanLine(text: string, max: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
  return cutText(line.trim(), max);
}

/** Cuts a text after `max` characters, counted like in the API. */
function cutText(text: string, max: number): string {
  return Array.from(text.slice(0, max * 2))
    .slice(0, max)
    .join('')
    .trim();
}
