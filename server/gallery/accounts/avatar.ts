/** The avatar: a square WebP made from whatever picture was sent. */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { queueRemovals, refuseMarked } from '../../platform/db/removals.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { whileConnected } from '../../platform/http/abandoned.ts';
import { readUploadForm } from '../../platform/http/upload-form.ts';
import { createFormCheck } from '../../platform/http/validation.ts';
import type { PictureRequest } from '../../platform/imaging/imaging.ts';
import { Type } from '../../platform/schema/type.ts';
import { newKey, objectName } from '../../platform/storage/keys.ts';
import type { Viewer } from '../identity/viewer.ts';

const checkFields = createFormCheck(Type.Object({}));

const avatarMaxBytes = 5 * 1024 * 1024;

/** Pages shown a moment ago still ask for the old picture. */
const oldAvatarKeptSeconds = 3600;

/** Stores the sent picture as the viewer's avatar; returns the name of its object. */
export async function replaceAvatar(deps: Deps, viewer: Viewer, request: FastifyRequest): Promise<string> {
  const form = await readUploadForm(request, deps, { maxBytes: avatarMaxBytes, check: checkFields });
  try {
    const { file, sha256 } = form;
    return await whileConnected(request, (signal) =>
      keepAvatar(deps, viewer.id, file.path, { signal, contentId: sha256 }),
    );
  } finally {
    await form.file.discard();
  }
}

/** Throws an ImageError for a file that is no picture. */
export async function keepAvatar(
  deps: Deps,
  userId: number,
  file: string,
  request: Pick<PictureRequest, 'signal' | 'contentId'> = {},
): Promise<string> {
  const { maxMegapixels } = deps.config;
  const picture = await deps.imaging.avatar(file, { ...request, maxMegapixels });
  const name = objectName(newKey(), 'avatar', 'webp');
  await deps.storage.put([{ name, source: picture }]);
  await saveAvatar(deps, userId, name);
  return name;
}

/** `name`: of its object, '' for none. Throws badToken for an account that was erased meanwhile. */
export async function saveAvatar({ db, clock }: Deps, userId: number, name: string): Promise<void> {
  await db.kysely.transaction().execute(async (transaction) => {
    // Locked: of several avatars at once, each replaces the one before.
    const { avatar } = await transaction
      .selectFrom('users')
      .select('avatar')
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(() => errors.badToken());
    await transaction.updateTable('users').set({ avatar: name }).where('id', '=', userId).execute();
    if (name) await refuseMarked(db, transaction, [name]);
    if (avatar) await queueRemovals(transaction, [avatar], clock() + oldAvatarKeptSeconds);
  });
}
