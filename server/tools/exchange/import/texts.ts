/** Names and texts from elsewhere, made what the API would take: nothing is refused for its title. */

const maxTitle = 200;
const maxDescription = 2000;
const maxAlbumName = 100;

/** A sidecar's title, unless that is but the file's name; else the file's name without its extension. */
export function titleOf(fileName: string, told: string): string {
  const title = told === '' || told === fileName ? fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '') : told;
  return oneLine(title, maxTitle);
}

export function descriptionOf(told: string): string {
  return cut(
    told
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n\t]/gu, ' ')
      .trim(),
    maxDescription,
  );
}

export function albumNameOf(folderName: string): string {
  return oneLine(folderName, maxAlbumName) || 'Untitled';
}

function oneLine(text: string, max: number): string {
  return cut(
    text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
      .trim(),
    max,
  );
}

/** By characters, as the API counts them. */
function cut(text: string, max: number): string {
  return Array.from(text).slice(0, max).join('').trim();
}
