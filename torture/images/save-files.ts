/** The files that were worked on when the server died: who looks for the reason begins with them. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface UnderWay {
  bytes: Buffer;
  /** Which picture it was, and what was done to it. */
  what: string;
  /** What was asked for last: `upload`, `edit`. */
  asked: string;
}

/** Returns the folder, whose name has the seed. `list.txt` in it tells of each file. */
export async function saveFiles(files: UnderWay[], seed: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `lightwell-images-${seed}-`));
  for (const [index, { bytes }] of files.entries()) await writeFile(join(folder, String(index)), bytes);
  const lines = files.map(
    ({ bytes, what, asked }, index) => `${index}: ${asked} of ${what}, ${bytes.length} bytes\n`,
  );
  await writeFile(join(folder, 'list.txt'), lines.join(''));
  return folder;
}
