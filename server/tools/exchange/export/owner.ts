/** Whose export a folder holds. */
import { join } from 'node:path';
import { parseObject, readSidecarText } from '../import/sidecar.ts';
import { exportFileName } from '../schema.ts';

/** The username; undefined where there is none yet. */
export async function ownerOf(root: string): Promise<string | undefined> {
  const text = await readSidecarText(join(root, exportFileName)).catch(() => '');
  const owner = parseObject(text)?.username;
  return typeof owner === 'string' ? owner : undefined;
}
