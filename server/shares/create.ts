/** Making a share. */
import { hashPassword } from '../auth/passwords.ts';
import { newToken } from '../auth/tokens.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { ShareRow } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import { getVisiblePhoto } from '../photos/store.ts';
import type { NewShare } from './schema.ts';
import { insertShare } from './store.ts';

const secondsOfDay = 86_400;

/** Anybody signed in may share what is public, owner and admins what is private. Throws 20003 or 20004. */
export async function sharePhoto(
  deps: Deps,
  viewer: Viewer,
  photoId: number,
  { expires, password }: NewShare,
): Promise<ShareRow> {
  // Before a password is hashed: who may not share is told so without that cost.
  await getVisiblePhoto(deps, viewer, photoId);
  const passwordHash = password === undefined ? '' : await hashPassword(password);
  const expireTime = expires === undefined ? null : deps.clock() + expires * secondsOfDay;
  return insertShare(deps, viewer, { token: newToken(), photoId, passwordHash, expireTime });
}
