/**
 * Creates a gallery with rows and objects directly, because `/storage` does not depend on how they were
 * created.
 */

import type { TestContext } from 'node:test';
import { insertUser } from '../../../server/gallery/accounts/store.ts';
import { listImageObjectNames } from '../../../server/gallery/delivery/objects.ts';
import { startSession } from '../../../server/gallery/identity/sessions.ts';
import { asLibraryWriter } from '../../../server/gallery/library/tables.ts';
import { Level, type Visibility } from '../../../server/platform/db/states.ts';
import type { ImageRow } from '../../../server/platform/db/tables.ts';
import { createObjectKey } from '../../../server/platform/storage/keys.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addMissingCounters } from '../../support/photo-counters.ts';

/** The bytes of the original. The clean copy of the original begins with `clean ` and has no `SECRET `. */
export const original = 'head SECRET picture';
export const clean = 'clean head picture';
const cleanParts = [
  { base64: Buffer.from('clean ').toString('base64') },
  { start: 0, end: 5 },
  { start: 12, end: 19 },
];

export async function makeGallery(test: TestContext): Promise<Gallery> {
  const gallery = await startGallery();
  test.after(() => gallery.close());
  return gallery;
}

/** Adds a user, and returns its id and `authorization` header. */
export async function addUser({ deps }: Gallery, username: string, isAdmin = false) {
  const user = { username, email: `${username}@example.org`, passwordHash: '', isAdmin };
  const inserted = await insertUser(deps, user);
  const { id } = inserted;
  const token = await startSession(deps, inserted, { userAgent: '', ip: '' });
  return { id, headers: { authorization: `Bearer ${token}` } };
}

/**
 * Adds a photo with one image version and its objects. The bytes of each rendition are the name of its kind.
 */
export async function addPhoto(
  { deps }: Pick<Gallery, 'deps'>,
  userId: number,
  visibility: Visibility,
  version: Partial<ImageRow> = {},
) {
  const key = createObjectKey();
  const { id } = await asLibraryWriter(deps.db.kysely)
    .insertInto('photos')
    .values({ ...blankPhoto, user_id: userId, visibility, image_key: key, original_key: key })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addMissingCounters(deps.db.kysely);
  const image = await addVersion({ deps }, id, { key, ...version });
  return { id, key, image };
}

export async function addVersion(
  { deps }: Pick<Gallery, 'deps'>,
  photoId: number,
  version: Partial<ImageRow>,
) {
  const image: ImageRow = { ...blankImage, key: createObjectKey(), photo_id: photoId, ...version };
  await deps.db.kysely.insertInto('images').values(image).execute();
  const objects = listImageObjectNames(image);
  await deps.storage.put(
    objects.map((name) => {
      const kind = name.split('.')[1]!;
      return { name, source: Buffer.from(kind === 'original' ? original : kind) };
    }),
  );
  return image;
}

const blankPhoto = {
  create_time: 0,
  width: 1,
  height: 1,
  title: '',
  placeholder: '',
  album_id: null,
  level: Level.public,
  size: 1,
  update_time: 0,
  taken_time: 0,
  title_key: '',
  tags: '[]',
  camera: '',
  aperture: '',
  shutter: '',
  iso: 0,
  file_name: '',
  sha256: '',
  delete_time: null,
  description: '',
};

const blankImage = {
  kind: 'original',
  edit_id: null,
  extension: 'jpg',
  mime: 'image/jpeg',
  width: 1,
  height: 1,
  size: original.length,
  preview_extension: 'jpg',
  full_extension: '',
  clean_parts: JSON.stringify(cleanParts),
  frames: 1,
  placeholder: '',
  create_time: 0,
  expire_time: null,
  private_time: null,
  sizes: 0,
  oversized: 0,
  overhead: 0,
};
