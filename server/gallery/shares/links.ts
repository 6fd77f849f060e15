/**
 * Creates the functions that the API and the pages of share links share. A single instance counts all password attempts
 * together.
 */
import type { Deps } from '../../deps.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
import { createReadSharedAlbum } from './album.ts';
import { createFindShareLink, createOpenShareLink } from './open.ts';
import { createUnlockShare } from './unlock.ts';

export type ShareLinkServices = ReturnType<typeof createShareLinkServices>;

export function createShareLinkServices(deps: Deps, shared: SharedLimits) {
  const findLink = createFindShareLink(deps);
  return {
    findLink,
    openLink: createOpenShareLink(deps),
    unlock: createUnlockShare(deps, shared, findLink),
    readSharedAlbum: createReadSharedAlbum(deps),
  };
}
