/** Compares the objects of an image version with its row. */
import type { Deps } from '../../deps.ts';
import { extensionOf, listImageObjectNames } from '../../gallery/delivery/objects.ts';
import { yieldPagesByColumn } from '../../platform/db/pages.ts';
import type { ImageRow, PhotoRow } from '../../platform/db/tables.ts';
import { computeChecksum } from '../../platform/storage/checksum.ts';
import { objectName, parseObjectName } from '../../platform/storage/keys.ts';
import { describeUnreadableObject } from '../maintenance/unreadable.ts';
import type { FindingKind } from './findings.ts';

export interface ObjectFault {
  kind: FindingKind;
  object: string;
  detail: string;
}

/** Returns the faults of a version's objects. If `isFast` is true, only existence and size are checked. */
export async function findObjectFaults(
  deps: Deps,
  image: CheckedImage,
  isFast: boolean,
): Promise<ObjectFault[]> {
  const faults: ObjectFault[] = [];
  for (const object of listImageObjectNames(image)) {
    const detail = await findFault(deps, image, object, isFast);
    if (detail === undefined) continue;
    const isMissing = detail === missing;
    faults.push({ kind: findingKind(object, isMissing), object, detail: isMissing ? '' : detail });
  }
  return faults;
}

const missing = 'missing';

function findingKind(object: string, isMissing: boolean): FindingKind {
  const { kind } = parseObjectName(object)!;
  if (kind === 'original') return isMissing ? 'original-missing' : 'original-damaged';
  if (kind === 'edit') return isMissing ? 'image-missing' : 'image-damaged';
  return isMissing ? 'rendition-missing' : 'rendition-damaged';
}

/** Returns what is wrong with an object, or undefined if the object is correct. */
async function findFault(
  deps: Deps,
  image: CheckedImage,
  object: string,
  isFast: boolean,
): Promise<string | undefined> {
  const stored = await deps.storage.stat(object);
  if (!stored) return missing;
  if (object === mainObject(image) && stored.size !== image.size) {
    return `${stored.size} bytes instead of ${image.size}`;
  }
  if (stored.size === 0) return 'the object is empty';
  if (isFast) return undefined;
  const read = parseObjectName(object)!.kind === 'original' ? compareChecksum : tryDecoding;
  return read(deps, object, image.sha256).catch((error: unknown) => describeUnreadableObject(deps, error));
}

/** Returns the name of the object whose size is in the row. */
function mainObject(image: CheckedImage): string {
  const kind = image.kind === 'edit' ? 'edit' : 'original';
  return objectName(image.key, kind, extensionOf(image, kind));
}

async function compareChecksum({ storage }: Deps, object: string, expected: string) {
  const stream = await storage.open(object);
  if (!stream) return missing;
  const found = await computeChecksum(stream);
  return found === expected ? undefined : `the SHA-256 is ${found}, not ${expected}`;
}

async function tryDecoding({ storage, imaging }: Deps, object: string) {
  const bytes = await storage.read(object);
  if (!bytes) return missing;
  return (await imaging.decodes(bytes)) ? undefined : 'the picture cannot be decoded';
}

const pageSize = 200;

/** Row of an image version with columns of its photo. */
export type CheckedImage = ImageRow &
  Pick<PhotoRow, 'sha256' | 'image_key' | 'original_key'> & { user_id: number };

export function findImageToCheck(deps: Deps, key: string): Promise<CheckedImage | undefined> {
  return selectImagesToCheck(deps).where('images.key', '=', key).executeTakeFirst();
}

/**
 * Selects the image versions to check. Replaced versions are left out, because the maintenance run may delete them at
 * any time.
 */
export function selectImagesToCheck({ db }: Deps) {
  return db
    .slow()
    .selectFrom('images')
    .innerJoin('photos', 'photos.id', 'images.photo_id')
    .selectAll('images')
    .select(['photos.sha256', 'photos.image_key', 'photos.original_key', 'photos.user_id'])
    .where((is) =>
      is.or([
        is('images.expire_time', 'is', null),
        is('images.key', '=', is.ref('photos.image_key')),
        is('images.key', '=', is.ref('photos.original_key')),
      ]),
    );
}

/**
 * Finds photos without the rows of their image versions, because no foreign key requires these rows. One statement
 * reads photo and version, so that both have the same state.
 */
export function findPhotosWithoutImage({ db }: Deps): AsyncGenerator<{ id: number; key: string }[]> {
  const photos = db
    .slow()
    .selectFrom('photos')
    .leftJoin('images as shown', 'shown.key', 'photos.image_key')
    .leftJoin('images as original', 'original.key', 'photos.original_key')
    .select(['photos.id', 'photos.image_key as key'])
    .where((is) => is.or([is('shown.key', 'is', null), is('original.key', 'is', null)]));
  return yieldPagesByColumn(photos, 'photos.id', 'id', 0, pageSize);
}
