/** Compares the images that clients get and the objects in the storage with the ledger. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { Deps } from '../../server/deps.ts';
import { listImageObjectNames } from '../../server/gallery/delivery/objects.ts';
import { Level } from '../../server/platform/db/states.ts';
import { asVisitor, createPerson, type GalleryUrl, type Person } from '../../test/support/people.ts';
import { readUploadHead } from '../../test/support/uploads.ts';
import type { Faults } from './faults.ts';
import type { Ledger, PhotoEntry } from './ledger.ts';
import { afterSteps, difference } from './pixels.ts';
import { sizeAfter } from './steps.ts';

interface Scene {
  deps: Deps;
  ledger: Ledger;
  faults: Faults;
  place: GalleryUrl;
}

/** Compares the images of a photo whose row has been compared. */
export async function compareBytes(scene: Scene, photo: PhotoEntry): Promise<void> {
  try {
    const original = photo.place.is === 'gone' ? undefined : await compareOriginal(scene, photo);
    await compareShown(scene, photo, original);
  } catch (error) {
    scene.faults.bytes.push(`photo ${photo.id}: ${(error as Error).message}`);
  }
}

/** Returns the original's bytes if they equal the uploaded bytes. */
async function compareOriginal(
  { deps, faults }: Scene,
  { id, file }: PhotoEntry,
): Promise<Buffer | undefined> {
  const row = await deps.db.kysely
    .selectFrom('photos')
    .innerJoin('images', 'images.key', 'photos.original_key')
    .selectAll('images')
    .where('photos.id', '=', id)
    .executeTakeFirst();
  const name = row && listImageObjectNames(row).find((object) => object.includes('.original.'));
  const bytes = name && (await deps.storage.read(name));
  const found = bytes ? createHash('sha256').update(bytes).digest('hex') : 'nothing';
  if (found === file.sha256) return bytes as Buffer;
  faults.bytes.push(`the original of photo ${id}: ${name} is ${found}`);
  return undefined;
}

async function compareShown(
  { ledger, faults, place }: Scene,
  photo: PhotoEntry,
  original: Buffer | undefined,
): Promise<void> {
  const { id, file, steps } = photo;
  const owner = userAt(ledger, photo.owner, place);
  const visitor = asVisitor(place);
  const { status, body } = await owner.get(`/api/photos/${id}`);
  const isShown = photo.place.is === 'shown';
  if (status !== (isShown ? 200 : 404)) {
    faults.lost.push(`photo ${id} is answered with ${status}, and is ${photo.place.is}`);
    return;
  }
  if (!isShown) return;
  const { width, height } = sizeAfter(file, steps.is);
  const expected = original && (await afterSteps(original, steps.is));
  for (const kind of ['path', 'thumb', 'preview']) {
    const { status, bytes } = await owner.get(body.data[kind]);
    const wrong =
      status === 200
        ? await findImageFault(bytes, expected, kind === 'path' && `${width}x${height}`)
        : status;
    if (wrong)
      faults.bytes.push(`the ${kind} of photo ${id}, edited by ${JSON.stringify(steps.is)}: ${wrong}`);
  }
  const shown = findLevels(ledger, photo);
  const viewers: [Person, boolean][] = [
    [visitor, shown.every((level) => level === Level.public)],
    [userAt(ledger, (photo.owner + 1) % ledger.users.length, place), !shown.includes(Level.private)],
  ];
  const [name] = body.data.path.split('?');
  for (const path of [`/api/photos/${id}`, name]) {
    for (const [viewer, isShown] of viewers) {
      const seen = (await viewer.get(path)).status;
      if ((seen === 200) !== isShown)
        faults.changed.push(`${viewer.name} gets ${seen} for ${path}, which has the levels ${shown}`);
    }
  }
}

/** Returns the level of a photo and the level of its album. */
function findLevels({ albums }: Ledger, { level, album }: PhotoEntry): Level[] {
  return [level.is, ...albums.filter(({ id }) => id === album.is).map((entry) => entry.level.is)];
}

/** Returns the fault of a served image: a wrong size, or a wrong content. */
async function findImageFault(
  bytes: Buffer,
  expected: Buffer | undefined,
  size: string | false,
): Promise<string | undefined> {
  const { width, height } = await sharp(bytes).metadata();
  if (size && size !== `${width}x${height}`) return `${width}x${height} instead of ${size}`;
  // The image is decoded completely even without an expected picture.
  return await difference(bytes, expected ?? bytes);
}

/** Checks that resumable uploads hold at least the acknowledged bytes. */
export async function compareOffsets(ledger: Ledger, faults: Faults, place: GalleryUrl): Promise<void> {
  for (const { owner, title, resumable } of ledger.unsureUploads) {
    const answer = await readUploadHead(userAt(ledger, owner, place), resumable!.path);
    const offset = Number(answer.headers.get('upload-offset'));
    const { acknowledged, sent } = resumable!;
    if (answer.status !== 200 || offset < acknowledged || offset > sent)
      faults.lost.push(`upload ${title}: ${answer.status}, ${offset} of ${acknowledged} to ${sent} bytes`);
    resumable!.acknowledged = offset;
    resumable!.isInHand = false;
  }
}

function userAt(ledger: Ledger, index: number, place: GalleryUrl): Person {
  const { name, token, id } = ledger.users[index]!;
  return createPerson(place, name, token, id);
}
