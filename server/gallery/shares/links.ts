/**
 * Creates the functions that the API and the pages of share links share. A single instance counts all password attempts
 * together.
 */
import type { Deps } from '../../deps.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
import { createReadSharedAlbum } from './album.ts';
import { createFindLink, createOpenLink } from './open.ts';
import { createUnlock } from './unlock.ts';

export type LinkServices = ReturnType<typeof createLinkServices>;

export function createLinkServices(deps: Deps, shared: SharedLimits) {
  const findLink = createFindLink(deps);
  return {
    findLink,
    openLink: createOpenLink(deps),
    unlock: createUnlock(deps, shared, findLink),
    readSharedAlbum: createReadSharedAlbum(deps),
  };
}
