/** What a link opens: the share behind its token, and the photo that it may still show. */
import type { Deps } from '../deps.ts';
import { errors } from '../http/errors.ts';
import { canSee } from '../photos/permissions.ts';
import { createFindDetail, type PhotoDetailRow } from '../photos/store.ts';
import { isAccessGood } from './access.ts';
import { prepareShare, type SharerRow } from './store.ts';

export interface Link {
  share: SharerRow;
  photo: PhotoDetailRow;
}

/** Throws 20007 for whatever shows nothing: unknown, revoked, expired, the photo gone, or hidden from its sharer. */
export type FindLink = (token: string) => Promise<Link>;

const tokenPattern = /^[\w-]{43}$/;
const nobody = 0;

export function createFindLink(deps: Deps): FindLink {
  const findShare = prepareShare(deps);
  const findPhoto = createFindDetail(deps);

  return async (token) => {
    if (!tokenPattern.test(token)) throw errors.shareNotFound();
    const [share] = await findShare({ token });
    if (!share || isExpired(share, deps.clock())) throw errors.shareNotFound();
    const photo = share.photo_id === null ? undefined : await findPhoto(share.photo_id, nobody);
    if (!photo || !maySharerSee(share, photo)) throw errors.shareNotFound();
    return { share, photo };
  };
}

function isExpired({ expire_time }: SharerRow, now: number): boolean {
  return expire_time !== null && expire_time <= now;
}

/** A stranger may share what is public; once it is private, that link shows it no longer. Nor does any in the trash. */
function maySharerSee({ user_id, is_admin }: SharerRow, photo: PhotoDetailRow): boolean {
  return canSee({ id: user_id, isAdmin: is_admin === 1, sessionId: 0 }, photo);
}

/** Whether what the caller holds is enough to see it. */
export function isUnlocked(deps: Deps, { share }: Link, access: string | undefined): boolean {
  if (share.password_hash === '') return true;
  return access !== undefined && isAccessGood(access, share.token, deps.clock(), deps.secret);
}
