/** Changing what a photo says about itself, and who may see it. */
import type { Transaction } from 'kysely';
import type { Deps } from '../../deps.ts';
import { fold } from '../../platform/db/fold.ts';
import type { AlbumRow, PhotoRow, Tables } from '../../platform/db/tables.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { findAlbum, getAlbumFor } from '../library/albums.ts';
import { canEdit } from '../library/photo-permissions.ts';
import { placePhotos } from '../library/place.ts';
import { searchTextOf, titleKeyOf } from '../library/search-text.ts';
import { cleanTags } from '../library/tags.ts';
import { effectiveVisibility, lockPhotoToMove, moveVisibility } from '../library/visibility.ts';
import { auditIfOthers } from '../moderation/audit.ts';
import { emit } from '../webhooks/emit.ts';
import type { PhotoUpdate } from './schema.ts';

/** `tags`: the new ones, or what is made of those that the photo has. */
export type PhotoChange = Omit<PhotoUpdate, 'tags'> & { tags?: string[] | TagChange };
export type TagChange = (tags: string[]) => string[];

/** Fields left out stay. Throws 20003, 20004, 30001, 30002, or 400. */
export async function updatePhoto(
  deps: Deps,
  viewer: Viewer,
  id: number,
  change: PhotoChange,
): Promise<void> {
  const tags = Array.isArray(change.tags) ? cleanTags(change.tags) : change.tags;
  await deps.db.kysely.transaction().execute(async (transaction) => {
    const photo = await lockPhotoToMove(deps, transaction, id);
    if (!photo || photo.visibility === 0) throw errors.photoNotFound();
    if (!canEdit(viewer, photo)) throw errors.photoForbidden();
    const album = await albumAfter(transaction, photo, change.album_id);

    const changed = {
      title: change.title ?? photo.title,
      description: change.description ?? photo.description,
      tags: tagsAfter(JSON.parse(photo.tags) as string[], tags),
      is_public: change.is_public ?? photo.is_public,
    };
    await transaction
      .updateTable('photos')
      .set({
        ...changed,
        tags: JSON.stringify(changed.tags),
        title_key: titleKeyOf(changed.title),
        update_time: deps.clock(),
      })
      .where('id', '=', id)
      .execute();
    const visibility = effectiveVisibility({ ...photo, ...changed }, album);
    // Tags before totals, as everywhere: PostgreSQL locks them in this order (platform/db/postgres/tag-totals.ts).
    if (change.tags) await replaceTags(transaction, { ...photo, visibility }, changed.tags);
    await moveVisibility(transaction, photo, visibility);
    if (photo.album_id !== (album?.id ?? null)) {
      await placePhotos(transaction, [{ ...photo, is_public: changed.is_public, visibility }], album);
    }
    await deps.db.search.put(transaction, {
      photoId: id,
      userId: photo.user_id,
      visibility,
      text: searchTextOf(changed),
    });
    const { title, is_public } = changed;
    await emit(deps, transaction, photo.user_id, {
      type: 'photo.updated',
      actorId: viewer.id,
      photo: { id, title, is_public },
    });
    await auditIfOthers(deps, transaction, viewer, photo, {
      action: 'photo.update',
      target: { type: 'photo', id, name: photo.title },
      details: { fields: Object.keys(change) },
    });
  });
}

function tagsAfter(current: string[], tags: string[] | TagChange | undefined): string[] {
  if (tags === undefined) return current;
  return typeof tags === 'function' ? cleanTags(tags(current)) : tags;
}

/** The album that the photo will be in: the one asked for (null and 0: none), else the one it is in. */
async function albumAfter(
  transaction: Transaction<Tables>,
  photo: PhotoRow,
  asked: number | null | undefined,
): Promise<AlbumRow | undefined> {
  if (asked) return getAlbumFor(transaction, photo.user_id, asked);
  return asked === undefined ? albumOf(transaction, photo) : undefined;
}

/** The album that a photo is in. */
export async function albumOf(
  transaction: Transaction<Tables>,
  photo: Pick<PhotoRow, 'album_id'>,
): Promise<AlbumRow | undefined> {
  return photo.album_id === null ? undefined : findAlbum(transaction, photo.album_id);
}

type TaggedPhoto = Pick<PhotoRow, 'id' | 'user_id' | 'visibility' | 'create_time'>;

export async function replaceTags(
  transaction: Transaction<Tables>,
  photo: TaggedPhoto,
  tags: string[],
): Promise<void> {
  await transaction.deleteFrom('photo_tags').where('photo_id', '=', photo.id).execute();
  await insertTags(transaction, photo, tags);
}

export async function insertTags(
  transaction: Transaction<Tables>,
  photo: TaggedPhoto,
  tags: string[],
): Promise<void> {
  if (tags.length === 0) return;
  const rows = tags.map((name, position) => ({
    photo_id: photo.id,
    position,
    name,
    name_key: fold(name),
    user_id: photo.user_id,
    visibility: photo.visibility,
    create_time: photo.create_time,
  }));
  await transaction.insertInto('photo_tags').values(rows).execute();
}
