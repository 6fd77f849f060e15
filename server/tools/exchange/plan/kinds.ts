/** Decides by the name of a file whether an import tries it as a photo. The content decides about all others. */
import { foldName, splitExtension } from './source-file.ts';

/** Files and folders that cameras, file managers and network drives leave behind. */
const systemName =
  /^(?:\.|__MACOSX$|@eaDir$|#recycle$|\$RECYCLE\.BIN$|System Volume Information$|Thumbs\.db$|ehthumbs(?:_vista)?\.db$|desktop\.ini$|ZbThumbnail\.info$|Picasa\.ini$|lost\+found$|Icon\r$)/i;

export function isSystemName(name: string): boolean {
  return systemName.test(name);
}

/** `mp` and `mv` are the films of motion photos. */
const videoExtensions = new Set(
  'mp4 mov m4v avi mkv webm mpg mpeg mts m2ts 3gp 3g2 wmv flv mod tod insv lrv vob ogv dv asf mp mv'.split(
    ' ',
  ),
);
const archiveExtensions = new Set('zip tgz tar gz 7z rar bz2 xz'.split(' '));
const textExtensions = new Set(
  'txt html htm pdf csv doc docx xls xlsx md rtf url webloc db sqlite ini log mp3 m4a wav aac'.split(' '),
);

const unsupportedKind = 'Only JPEG, PNG, GIF, WebP, AVIF, TIFF and HEIC images are accepted';

/** Returns the reason why a file cannot be a photo, or undefined. */
export function refuseByName(name: string): string | undefined {
  const extension = readExtension(name);
  if (videoExtensions.has(extension)) return 'Videos are not supported';
  if (archiveExtensions.has(extension)) return 'An archive in the source is not opened; import it by itself';
  return textExtensions.has(extension) ? unsupportedKind : undefined;
}

export function isVideoName(name: string): boolean {
  return videoExtensions.has(readExtension(name));
}

/** Returns the extension in lower case, without `~2`, which phones add to edited copies. */
function readExtension(name: string): string {
  return splitExtension(foldName(name)).extension.slice(1).replace(/~\d+$/, '');
}
