/** Stores avatars. Each avatar is a square WebP picture rendered from an uploaded file. */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { queueRemovals, refuseQueuedForRemoval } from '../../platform/db/removals.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { runWhileConnected } from '../../platform/http/abandoned.ts';
import { readUploadForm } from '../../platform/http/upload-form.ts';
import { createFormCheck } from '../../platform/http/validation.ts';
import type { ImagingJobOptions } from '../../platform/imaging/imaging.ts';
import { Type } from '../../platform/schema/type.ts';
import { createObjectKey, objectName } from '../../platform/storage/keys.ts';
import type { Viewer } from '../identity/viewer.ts';

const checkFields = createFormCheck(Type.Object({}));

const avatarMaxBytes = 5 * 1024 * 1024;

/** Seconds for which a replaced avatar stays available, because open pages may still request it. */
const oldAvatarKeptSeconds = 3600;

/** Stores the uploaded picture as the viewer's avatar and returns the name of its object. */
export async function replaceAvatar(deps: Deps, viewer: Viewer, request: FastifyRequest): Promise<string> {
  const form = await readUploadForm(request, deps, {
    limit: { maxBytes: avatarMaxBytes },
    check: checkFields,
  });
  try {
    const { file, sha256 } = form;
    return await runWhileConnected(request, (signal) =>
      saveAvatar(deps, viewer.id, file.path, { signal, contentId: sha256 }),
    );
  } finally {
    await form.file.discard();
  }
}

/**
 * Renders a file as the user's avatar and stores it. Returns the name of the object. Throws ImageError if the file
 * is no picture.
 */
export async function saveAvatar(
  deps: Deps,
  userId: number,
  file: string,
  request: Pick<ImagingJobOptions, 'signal' | 'contentId'> = {},
): Promise<string> {
  const { maxMegapixels } = deps.config;
  const picture = await deps.imaging.avatar(file, { ...request, maxMegapixels });
  const name = objectName(createObjectKey(), 'avatar', 'webp');
  await deps.storage.put([{ name, source: picture }]);
  await setAvatar(deps, userId, name);
  return name;
}

/**
 * Writes the object name of a new avatar, or '' for none, and orders the removal of the old avatar. Throws badToken
 * if the account was deleted meanwhile.
 */
export async function setAvatar({ db, clock }: Deps, userId: number, name: string): Promise<void> {
  await db.kysely.transaction().execute(async (transaction) => {
    // Lock the account, so that parallel uploads replace each other in turn and no unused avatar stays behind.
    const { avatar } = await transaction
      .selectFrom('users')
      .select('avatar')
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(() => errors.badToken());
    await transaction.updateTable('users').set({ avatar: name }).where('id', '=', userId).execute();
    if (name) await refuseQueuedForRemoval(db, transaction, [name]);
    if (avatar) await queueRemovals(transaction, [avatar], clock() + oldAvatarKeptSeconds);
  });
}
