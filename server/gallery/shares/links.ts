/**
 * Creates the functions that the API and the pages of share links share. A single instance counts all password attempts
 * together.
 */
import type { Deps } from '../../deps.ts';
import type { Shared } from '../../platform/http/shared.ts';
import { createReadSharedAlbum } from './album.ts';
import { createEnter, createFindLink } from './open.ts';
import { createUnlock } from './unlock.ts';

export type Links = ReturnType<typeof createLinks>;

export function createLinks(deps: Deps, shared: Shared) {
  const findLink = createFindLink(deps);
  return {
    findLink,
    enter: createEnter(deps),
    unlock: createUnlock(deps, shared, findLink),
    readSharedAlbum: createReadSharedAlbum(deps),
  };
}
