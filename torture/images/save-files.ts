/** Saves the files that were in work when the server died, for the search for the cause. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface UnderWay {
  bytes: Buffer;
  /** Name of the picture and description of its damage. */
  what: string;
  /** Last request for the picture: `upload` or `edit`. */
  asked: string;
}

/**
 * Saves the files and returns their folder, whose name contains the seed. The folder's `list.txt` describes
 * each file.
 */
export async function saveFiles(files: UnderWay[], seed: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `lightwell-images-${seed}-`));
  for (const [index, { bytes }] of files.entries()) await writeFile(join(folder, String(index)), bytes);
  const lines = files.map(
    ({ bytes, what, asked }, index) => `${index}: ${asked} of ${what}, ${bytes.length} bytes\n`,
  );
  await writeFile(join(folder, 'list.txt'), lines.join(''));
  return folder;
}
