/** Creates ordinary and smart albums. */

import type { Deps } from '../../deps.ts';
import { foldSearchText, naturalSortKey } from '../../platform/db/fold.ts';
import { errors, invalidFieldsError } from '../../platform/errors/catalogue.ts';
import { readSiteSettings } from '../identity/site-settings.ts';
import type { Viewer } from '../identity/viewer.ts';
import { addAlbum } from '../library/album-visibility.ts';
import { getTargetAlbum } from '../library/albums.ts';
import { readRequestedLevel } from '../library/level-fields.ts';
import { findParentAlbums, maxAlbumDepth } from '../library/tree.ts';
import { checkSmartAlbumRule } from './rule.ts';
import type { NewAlbum } from './schema.ts';

/**
 * Creates an album and returns its id. `createTime` is the creation time of an album that is imported. Throws
 * invalid, albumNotFound, albumForbidden, albumIsSmart or albumNesting.
 */
export async function createAlbum(
  { db, clock, config }: Deps,
  viewer: Viewer,
  album: NewAlbum,
  createTime?: number,
): Promise<number> {
  const texts = buildAlbumTextColumns(album.name, album.description ?? '');
  const level = readRequestedLevel(album) ?? (await readSiteSettings(config, db.kysely)).defaultLevel;
  return db.kysely.transaction().execute(async (transaction) => {
    await db.lock(transaction, { library: viewer.id });
    const parent = album.parent_id
      ? await getTargetAlbum(transaction, viewer.id, album.parent_id)
      : undefined;
    if (parent && (await findParentAlbums(transaction, parent.id)).length >= maxAlbumDepth) {
      throw errors.albumNesting();
    }
    if (album.rule !== undefined) await checkSmartAlbumRule(transaction, viewer.id, album.rule);
    const now = clock();
    const made = { create_time: createTime ?? now, update_time: now };
    const rule = album.rule ?? null;
    return addAlbum(transaction, { ...texts, ...made, user_id: viewer.id, level, rule }, parent);
  });
}

/**
 * Returns the columns of an album that depend on its name and description. Throws invalid for a name of only
 * spaces.
 */
export function buildAlbumTextColumns(name: string, description: string) {
  const trimmed = name.trim();
  if (trimmed === '') throw invalidFieldsError({ name: ['Must not be empty'] });
  return {
    name: trimmed,
    name_key: naturalSortKey(trimmed),
    description,
    // No input can contain the separator, so no keyword matches across name and description.
    search_text: foldSearchText(`${trimmed}\u0001${description}`),
  };
}
