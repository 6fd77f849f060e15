/** Inserts photo rows without files like an upload does, for tests that need no pictures. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insertPhoto } from '../../server/gallery/photos/upload/insert.ts';
import { readPicture } from '../../server/gallery/photos/upload/picture.ts';
import { Level, type LevelName } from '../../server/platform/db/states.ts';
import { createObjectKey, objectName } from '../../server/platform/storage/keys.ts';
import type { Gallery } from './harness.ts';
import type { Person } from './people.ts';
import { createJpeg } from './pictures.ts';

interface PhotoRowFields {
  title: string;
  description: string;
  tags: string[];
  visibility: LevelName;
  album: number | undefined;
}

export type InsertPhoto = (owner: Person, fields: PhotoRowFields) => Promise<number>;

/**
 * Returns a function that inserts a photo of the owner and returns its id. All photos share one decoded
 * picture.
 */
export async function createPhotoRows({ deps }: Pick<Gallery, 'deps'>): Promise<InsertPhoto> {
  const folder = await mkdtemp(join(tmpdir(), 'lightwell-rows-'));
  const file = join(folder, 'a.jpg');
  const bytes = await createJpeg({ width: 16, height: 16 });
  await writeFile(file, bytes);
  const picture = await readPicture(deps, file, {});
  await rm(folder, { recursive: true });
  return async ({ id }, { title, description, tags, visibility, album: albumId }) => {
    const viewer = { id, isAdmin: false, sessionId: 0 };
    const shown = { title, description, tags, level: Level[visibility], albumId };
    const key = createObjectKey();
    const objects = [objectName(key, 'original', 'jpg')];
    const stored = { key, objects, fileName: '', size: bytes.length, sha256: '', picture };
    return (await insertPhoto(deps, viewer, { ...shown, ...stored })).id;
  };
}
