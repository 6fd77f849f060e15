/** What clients are sent of a photo, and what lies in the storage, against the ledger. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { Deps } from '../../server/deps.ts';
import { objectsOf } from '../../server/gallery/delivery/objects.ts';
import { anonymous, type Person, type Place, person } from '../../test/support/people.ts';
import { head } from '../../test/support/uploads.ts';
import type { Ledger, PhotoEntry } from './ledger.ts';
import type { Faults } from './look.ts';
import { sizeAfter } from './steps.ts';

interface Scene {
  deps: Deps;
  ledger: Ledger;
  faults: Faults;
  place: Place;
}

/** Of a photo whose row was compared. */
export async function compareBytes(scene: Scene, photo: PhotoEntry): Promise<void> {
  try {
    if (photo.place.is !== 'gone') await compareOriginal(scene, photo);
    await compareShown(scene, photo);
  } catch (error) {
    scene.faults.bytes.push(`photo ${photo.id}: ${(error as Error).message}`);
  }
}

async function compareOriginal({ deps, faults }: Scene, { id, file }: PhotoEntry): Promise<void> {
  const row = await deps.db.kysely
    .selectFrom('photos')
    .innerJoin('images', 'images.key', 'photos.original_key')
    .selectAll('images')
    .where('photos.id', '=', id)
    .executeTakeFirst();
  const name = row && objectsOf(row).find((object) => object.includes('.original.'));
  const bytes = name && (await deps.storage.read(name));
  const found = bytes ? createHash('sha256').update(bytes).digest('hex') : 'nothing';
  if (found !== file.sha256) faults.bytes.push(`the original of photo ${id}: ${name} is ${found}`);
}

async function compareShown({ ledger, faults, place }: Scene, photo: PhotoEntry): Promise<void> {
  const { id, file, steps } = photo;
  const owner = userAt(ledger, photo.owner, place);
  const visitor = anonymous(place);
  const { status, body } = await owner.get(`/api/photos/${id}`);
  const isShown = photo.place.is === 'shown';
  if (status !== (isShown ? 200 : 404)) {
    faults.lost.push(`photo ${id} is answered with ${status}, and is ${photo.place.is}`);
    return;
  }
  if (!isShown) return;
  const { width, height } = sizeAfter(file, steps.is);
  const expected = `${width}x${height}`;
  const shown = await sizeOf(owner, body.data.path);
  if (shown !== expected) faults.bytes.push(`the image of photo ${id} is ${shown}, not ${expected}`);
  for (const kind of ['thumb', 'preview']) {
    const rendition = await sizeOf(owner, body.data[kind]);
    if (!/^\d+x\d+$/.test(rendition)) faults.bytes.push(`the ${kind} of photo ${id} is ${rendition}`);
  }
  const isPublic = photo.isPublic.is === 1 && isAlbumPublic(ledger, photo);
  const [name] = body.data.path.split('?');
  for (const path of [`/api/photos/${id}`, name]) {
    const seen = (await visitor.get(path)).status;
    if ((seen === 200) !== isPublic)
      faults.changed.push(`a visitor gets ${seen} for ${path}, which is ${isPublic ? 'public' : 'private'}`);
  }
}

function isAlbumPublic({ albums }: Ledger, { album }: PhotoEntry): boolean {
  return album.is === 0 || albums.find(({ id }) => id === album.is)?.isPublic.is === 1;
}

/** `900x640`, or what is wrong with it. */
async function sizeOf(who: Person, path: string): Promise<string> {
  const { status, bytes } = await who.get(path);
  if (status !== 200) return `answered with ${status}`;
  const { width, height } = await sharp(bytes).metadata();
  await sharp(bytes).stats();
  return `${width}x${height}`;
}

/** Uploads that go on know at least the bytes that were acknowledged. */
export async function compareOffsets(ledger: Ledger, faults: Faults, place: Place): Promise<void> {
  for (const { owner, title, resumable } of ledger.unsureUploads) {
    const answer = await head(userAt(ledger, owner, place), resumable!.path);
    const offset = Number(answer.headers.get('upload-offset'));
    const { acknowledged, sent } = resumable!;
    if (answer.status !== 200 || offset < acknowledged || offset > sent)
      faults.lost.push(`upload ${title}: ${answer.status}, ${offset} of ${acknowledged} to ${sent} bytes`);
    resumable!.acknowledged = offset;
    resumable!.isInHand = false;
  }
}

function userAt(ledger: Ledger, index: number, place: Place): Person {
  const { name, token, id } = ledger.users[index]!;
  return person(place, name, token, id);
}
