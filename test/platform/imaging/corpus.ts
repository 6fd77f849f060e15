import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Folder with real photographs and hostile files, which are not part of this repository. */
const folder = process.env.LIGHTWELL_CORPUS ?? path.resolve(import.meta.dirname, '../../../../shared/corpus');

export type CorpusFile = {
  path: string;
  file: string;
  kind: 'photo' | 'bad' | 'edge' | 'unsupported';
  expected: string;
  display?: { width: number; height: number };
  exif?: {
    Make: string | null;
    Model: string | null;
    FNumber: number | null;
    ExposureTimeText: string | number | null;
    ISO: number | null;
    DateTimeOriginal: string | null;
  };
};

/** Value for the option `skip`: false, or the reason why tests with the corpus are skipped. */
export const withoutCorpus: false | string = existsSync(path.join(folder, 'manifest.json'))
  ? false
  : 'the corpus is not here: set LIGHTWELL_CORPUS to its folder';

export const corpus: CorpusFile[] = withoutCorpus ? [] : readManifest();

export function corpusFile(name: string): string {
  return path.join(folder, name);
}

function readManifest(): CorpusFile[] {
  const { files } = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8'));
  return files
    .filter((entry: CorpusFile) => !entry.path.endsWith('payloads.json'))
    .map((entry: CorpusFile) => ({ ...entry, file: corpusFile(entry.path) }));
}
