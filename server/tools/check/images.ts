/** Checks that every row of an image version has its objects, and that the objects match the row. */
import type { Deps } from '../../deps.ts';
import { inParallel } from '../../platform/concurrency/in-parallel.ts';
import { flattenRowPages, yieldPagesByColumn } from '../../platform/db/pages.ts';
import { retryForSeconds } from '../../platform/db/retry.ts';
import { countRows } from '../../platform/db/rows.ts';
import type { CheckContext } from './findings.ts';
import {
  type CheckedImage,
  findImageToCheck,
  findObjectFaults,
  findPhotosWithoutImage,
  type ObjectFault,
  selectImagesToCheck,
} from './objects.ts';
import { createImageRepair } from './repair-image.ts';

export async function checkImages(round: CheckContext): Promise<void> {
  const { deps, jobs, progress, report } = round;
  progress.begin('photos', await countRows(deps.db.slow().selectFrom('images')));
  for await (const { id, key } of flattenRowPages(findPhotosWithoutImage(deps))) {
    await report({ kind: 'image-row-missing', subject: `photo ${id}`, detail: key });
  }
  await inParallel(
    flattenRowPages(yieldPagesByColumn(selectImagesToCheck(deps), 'images.key', 'key', '', pageSize)),
    jobs,
    async (image) => {
      await checkImage(round, image);
      progress.step(1);
    },
  );
}

async function checkImage({ deps, isFast, report }: CheckContext, image: CheckedImage): Promise<void> {
  const suspects = await retryForSeconds(() => findObjectFaults(deps, image, isFast));
  if (suspects.length === 0) return;
  // The row is read a second time. Rows are deleted before their objects, so an object that a row still names must
  // exist.
  const now = await findImageToCheck(deps, image.key);
  if (!now) return;
  const faults = (await findObjectFaults(deps, now, isFast)).filter(({ object }) =>
    listFaultyObjects(suspects).includes(object),
  );
  const repair = createImageRepair(deps, now, faults);
  for (const { kind, object, detail } of faults) {
    const isLost = kind.startsWith('original-');
    const where = `photo ${now.photo_id}: ${object}`;
    await report({
      kind,
      subject: object,
      detail: detail ? `${where}, ${detail}` : where,
      ...(!isLost && { repair }),
    });
  }
}

function listFaultyObjects(faults: ObjectFault[]): string[] {
  return faults.map(({ object }) => object);
}

const pageSize = 500;

export async function checkAvatars({ deps, jobs, progress, report }: CheckContext): Promise<void> {
  progress.begin('avatars');
  await inParallel(flattenRowPages(avatarOwners(deps)), jobs, async ({ id, avatar }) => {
    progress.step(1);
    if (await deps.storage.stat(avatar)) return;
    // The row is read a second time, because the user may have changed the avatar meanwhile.
    const now = await deps.db
      .slow()
      .selectFrom('users')
      .select('avatar')
      .where('id', '=', id)
      .executeTakeFirst();
    if (now?.avatar !== avatar) return;
    await report({ kind: 'avatar-missing', subject: `user ${id}`, detail: avatar });
  });
}

function avatarOwners({ db }: Deps) {
  const owners = db.slow().selectFrom('users').select(['id', 'avatar']).where('avatar', '!=', '');
  return yieldPagesByColumn(owners, 'id', 'id', 0, pageSize);
}
