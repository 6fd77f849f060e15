/** Names and texts from elsewhere, made what the API would take: nothing is refused for its title. */

const mostTitle = 200;
const mostDescription = 2000;
const mostAlbumName = 100;

/** A sidecar's title, unless that is but the file's name; else the file's name without its extension. */
export function titleOf(fileName: string, told: string): string {
  const title = told === '' || told === fileName ? fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '') : told;
  return oneLine(title, mostTitle);
}

export function descriptionOf(told: string): string {
  return cut(
    told
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n\t]/gu, ' ')
      .trim(),
    mostDescription,
  );
}

export function albumNameOf(folderName: string): string {
  return oneLine(folderName, mostAlbumName) || 'Untitled';
}

function oneLine(text: string, most: number): string {
  return cut(
    text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
      .trim(),
    most,
  );
}

/** By characters, as the API counts them. */
function cut(text: string, most: number): string {
  return Array.from(text).slice(0, most).join('').trim();
}
