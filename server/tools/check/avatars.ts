/** Avatars that users wear. They were made from pictures that are not kept: what is missing cannot be made again. */

import type { Deps } from '../../deps.ts';
import { inParallel } from '../../platform/concurrency/in-parallel.ts';
import { each, pagesBy } from '../../platform/db/pages.ts';
import type { Round } from './findings.ts';

const pageSize = 500;

export async function checkAvatars({ deps, jobs, progress, report }: Round): Promise<void> {
  progress.begin('avatars');
  await inParallel(each(avatarOwners(deps)), jobs, async ({ id, avatar }) => {
    progress.step(1);
    if (await deps.storage.stat(avatar)) return;
    // The second look: a user who changed the avatar meanwhile has another one.
    const now = await deps.db.slow
      .selectFrom('users')
      .select('avatar')
      .where('id', '=', id)
      .executeTakeFirst();
    if (now?.avatar !== avatar) return;
    await report({ kind: 'avatar-missing', subject: `user ${id}`, detail: avatar });
  });
}

function avatarOwners({ db }: Deps) {
  const owners = db.slow.selectFrom('users').select(['id', 'avatar']).where('avatar', '!=', '');
  return pagesBy(owners, 'id', 'id', 0, pageSize);
}
