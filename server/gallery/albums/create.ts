/** Making an album. */

import type { Deps } from '../../deps.ts';
import { fold } from '../../platform/db/fold.ts';
import { errors, invalidFields } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../identity/viewer.ts';
import { addAlbum } from '../library/album-visibility.ts';
import { getAlbumFor } from '../library/albums.ts';
import { findParents, maxLevels } from '../library/tree.ts';
import { checkRule } from './rule.ts';
import type { NewAlbum } from './schema.ts';

/**
 * Returns its id. `createTime`: of an album that was elsewhere before. Throws invalid, albumNotFound, albumForbidden,
 * albumIsSmart or albumNesting.
 */
export async function createAlbum(
  { db, clock }: Deps,
  viewer: Viewer,
  album: NewAlbum,
  createTime?: number,
): Promise<number> {
  const texts = albumTexts(album.name, album.description ?? '');
  const isPublic = album.is_public ?? 1;
  return db.kysely.transaction().execute(async (transaction) => {
    await db.lock(transaction, { library: viewer.id });
    const parent = album.parent_id ? await getAlbumFor(transaction, viewer.id, album.parent_id) : undefined;
    if (parent && (await findParents(transaction, parent.id)).length >= maxLevels) {
      throw errors.albumNesting();
    }
    if (album.rule !== undefined) await checkRule(transaction, viewer.id, album.rule);
    const now = clock();
    const made = { create_time: createTime ?? now, update_time: now };
    const rule = album.rule ?? null;
    return addAlbum(
      transaction,
      { ...texts, ...made, user_id: viewer.id, is_public: isPublic, rule },
      parent,
    );
  });
}

/** The columns that follow from name and description. Throws invalid for a name of nothing but spaces. */
export function albumTexts(name: string, description: string) {
  const trimmed = name.trim();
  if (trimmed === '') throw invalidFields({ name: ['must not be empty'] });
  return {
    name: trimmed,
    name_key: fold(trimmed),
    description,
    // No input can contain what stands between the two: no keyword matches across them.
    search_text: fold(`${trimmed}\u0001${description}`),
  };
}
