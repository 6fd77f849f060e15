/** What the API and the pages of shares both ask: one of each, so that tries at a password are counted together. */
import type { Deps } from '../../deps.ts';
import type { Shared } from '../../platform/http/shared.ts';
import { createReadSharedAlbum, type ReadSharedAlbum } from './album.ts';
import { createFindLink, type FindLink } from './open.ts';
import { createUnlock, type Unlock } from './unlock.ts';

export interface Links {
  findLink: FindLink;
  unlock: Unlock;
  readSharedAlbum: ReadSharedAlbum;
}

export function createLinks(deps: Deps, shared: Shared): Links {
  const findLink = createFindLink(deps);
  return {
    findLink,
    unlock: createUnlock(deps, shared, findLink),
    readSharedAlbum: createReadSharedAlbum(deps),
  };
}
