/** Finds the photo that an XMP file describes: `photo.jpg.xmp` or `photo.xmp`. */

import type { MediaIndex } from './match-json.ts';
import { foldName, getFileName, type SourceFile } from './source-file.ts';

export interface XmpMatches {
  byMedia: Map<SourceFile, SourceFile>;
  /** Files that describe a further development of a photo in darktable, such as `photo_01.jpg.xmp`. */
  versions: Map<SourceFile, SourceFile>;
  unmatched: SourceFile[];
}

/** Matches the XMP files of one folder. `photo.jpg.xmp` wins over `photo.xmp`. */
export function matchXmpFiles(xmps: SourceFile[], index: MediaIndex): XmpMatches {
  const matches: XmpMatches = { byMedia: new Map(), versions: new Map(), unmatched: [] };
  const byLength = [...xmps].sort((one, other) => other.path.length - one.path.length);
  for (const xmp of byLength) addXmp(matches, xmp, index);
  return matches;
}

function addXmp(matches: XmpMatches, xmp: SourceFile, { byName, byStem }: MediaIndex): void {
  const stem = foldName(getFileName(xmp)).replace(/\.xmp$/, '');
  const described = byName.get(stem) ?? byStem.get(stem);
  const first = byName.get(stem.replace(/_\d\d(\.[^.]+)$/, '$1'))?.[0];
  if (described) {
    for (const file of described) if (!matches.byMedia.has(file)) matches.byMedia.set(file, xmp);
  } else if (first) matches.versions.set(xmp, first);
  else matches.unmatched.push(xmp);
}
