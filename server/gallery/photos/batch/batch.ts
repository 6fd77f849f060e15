/**
 * Runs one action on many photos. Each photo has its own transaction, so that a failure does not affect the other
 * photos.
 */

import type { Static } from 'typebox';
import type { Deps } from '../../../deps.ts';
import { foldSearchText } from '../../../platform/db/fold.ts';
import { joinFieldErrors } from '../../../platform/errors/catalogue.ts';
import type { ValueRule } from '../../../platform/http/ajv.ts';
import { toApiError } from '../../../platform/http/error-handler.ts';
import { choiceField, idField } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import type { Viewer } from '../../identity/viewer.ts';
import { cleanTags, trimTags } from '../../library/tags.ts';
import { addPhotosToAlbum, removePhotosFromAlbum } from '../albums/add-and-remove.ts';
import { changeReaction } from '../likes.ts';
import { correctionInputs } from '../metadata/schema.ts';
import { type BatchOutcome, PhotoUpdate } from '../schema.ts';
import { purgePhoto } from '../trash/purge.ts';
import { getTrashedPhoto, restorePhoto, trashPhoto } from '../trash/trash.ts';
import { updatePhoto } from '../update.ts';

const batchActions = [
  'delete',
  'restore',
  'purge',
  'move',
  'add',
  'remove',
  'tag',
  'untag',
  'publish',
  'hide',
  'visibility',
  'describe',
  'date',
  'place',
  'rate',
  'favorite',
  'unfavorite',
] as const;

/** Checks that a batch has the fields that its action requires. */
const neededFields = ({
  action,
  album_id,
  visibility,
  tags,
  ...text
}: Record<string, unknown>): ReturnType<ValueRule> => {
  const isMissing = 'Is required by this action';
  if (action === 'move' && album_id === undefined) return { album_id: isMissing };
  if ((action === 'add' || action === 'remove') && !album_id) return { album_id: isMissing };
  if (action === 'visibility' && visibility === undefined) return { visibility: isMissing };
  if (action === 'describe' && text.title === undefined && text.description === undefined) {
    return {
      title: `${isMissing}, unless description is given`,
      description: `${isMissing}, unless title is given`,
    };
  }
  if (action === 'date' && (text.taken_time === undefined) === (text.shift === undefined)) {
    const isWrong = text.shift === undefined ? isMissing : 'Must not be given together';
    return { taken_time: isWrong, shift: isWrong };
  }
  if (action === 'place' && text.location === undefined) return { location: isMissing };
  if (action === 'rate' && text.rating === undefined) return { rating: isMissing };
  if (action !== 'tag' && action !== 'untag') return undefined;
  const areTexts = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
  const isNamed = areTexts ? trimTags(tags).length > 0 : tags !== undefined;
  return isNamed ? undefined : { tags: isMissing };
};

/** Maximum shift of dates in seconds: a thousand years. */
const maxShift = 31_556_952_000;

export const BatchRequest = Type.Object(
  {
    ids: Type.Array(idField('photo'), {
      minItems: 1,
      maxItems: 100,
      description: 'Ids of the photos; duplicates count once',
    }),
    action: choiceField(batchActions, {
      title: 'BatchAction',
      description:
        'Action on each photo. `publish` makes photos public, `hide` makes them private, and `visibility` sets ' +
        'the level in `visibility`. `move` sets the main album. `add` and `remove` do the same as ' +
        '`POST` and `DELETE /api/albums/{id}/photos`. `describe` sets `title`, ' +
        '`description` or both. `date` sets `taken_time`, or moves the date of each photo by `shift`. `place` ' +
        'sets `location`, and `rate` sets `rating`. `restore` restores photos from the trash, and `purge` permanently ' +
        "deletes photos in the trash. `favorite` and `unfavorite` set the caller's own favorites",
    }),
    album_id: Type.Optional(
      Type.Unsafe<number | null>({
        ...PhotoUpdate.properties.album_id,
        description:
          "For `move`: id of the new main album, of the photos' owner; null or 0: none. For `add` and " +
          '`remove`: id of the album',
      }),
    ),
    tags: Type.Optional(
      Type.Unsafe<string[]>({
        ...PhotoUpdate.properties.tags,
        description:
          'For `tag` and `untag`: the tags to add or remove. A photo has at most 30 tags, of at most 50 ' +
          'characters each',
      }),
    ),
    visibility: PhotoUpdate.properties.visibility,
    title: PhotoUpdate.properties.title,
    description: PhotoUpdate.properties.description,
    ...correctionInputs,
    shift: Type.Optional(
      Type.Integer({
        minimum: -maxShift,
        maximum: maxShift,
        description:
          'For `date`: seconds to add to the date of each photo. Photos without a date fail with code 400',
        examples: [3600],
      }),
    ),
  },
  { title: 'Batch', rule: neededFields, examples: [{ ids: [3, 5, 8], action: 'tag', tags: ['alps'] }] },
);
export type BatchRequest = Static<typeof BatchRequest>;

/** Runs a batch. Throws albumNotFound, albumForbidden or albumIsSmart for `add` and `remove`. */
export async function runPhotoBatch(deps: Deps, viewer: Viewer, batch: BatchRequest): Promise<BatchOutcome> {
  const { action, ids, album_id } = batch;
  if (action === 'remove') return removePhotosFromAlbum(deps, viewer, album_id!, ids);
  if (action === 'add') {
    const { success, failed } = await addPhotosToAlbum(deps, viewer, album_id!, { ids });
    return { success, failed };
  }
  const act = createAction(deps, viewer, { ...batch, action });
  const result: BatchOutcome = { success: [], failed: [] };
  for (const id of new Set(batch.ids)) {
    try {
      await act(id);
      result.success.push(id);
    } catch (error) {
      // Every error is caught, because the client must learn which photos were already changed.
      const { code, message, status, fields } = toApiError(error);
      if (status >= 500) deps.log.error({ err: error, photo: id }, 'a photo of a batch could not be changed');
      result.failed.push({ id, code, message: fields ? joinFieldErrors(fields) : message });
    }
  }
  return result;
}

/** Actions that change each photo by itself. */
type SingleAction = Exclude<BatchRequest['action'], 'add' | 'remove'>;
type ActOnPhoto = (id: number) => Promise<void>;

function createAction(
  deps: Deps,
  viewer: Viewer,
  batch: BatchRequest & { action: SingleAction },
): ActOnPhoto {
  const { action, album_id, visibility, tags, title, description } = batch;
  const { taken_time, shift, location, rating } = batch;
  switch (action) {
    case 'delete':
      return (id) => trashPhoto(deps, viewer, id);
    case 'restore':
      return (id) => restorePhoto(deps, viewer, id);
    case 'purge':
      return (id) => purgePhoto(deps, id, (photo) => getTrashedPhoto(viewer, photo) !== undefined, viewer);
    case 'publish':
      return (id) => updatePhoto(deps, viewer, id, { visibility: 'public' });
    case 'hide':
      return (id) => updatePhoto(deps, viewer, id, { visibility: 'private' });
    case 'visibility':
      return (id) => updatePhoto(deps, viewer, id, { visibility });
    case 'move':
      return (id) => updatePhoto(deps, viewer, id, { album_id });
    case 'describe':
      return (id) => updatePhoto(deps, viewer, id, { title, description });
    case 'date':
      return (id) => updatePhoto(deps, viewer, id, shift === undefined ? { taken_time } : { shift });
    case 'place':
      return (id) => updatePhoto(deps, viewer, id, { location });
    case 'rate':
      return (id) => updatePhoto(deps, viewer, id, { rating });
    case 'favorite':
    case 'unfavorite':
      return async (id) => {
        await changeReaction(deps, viewer, id, 'favorites', action === 'favorite');
      };
    case 'tag':
    case 'untag': {
      const given = cleanTags(tags ?? []);
      const keys = new Set(given.map(foldSearchText));
      const change =
        action === 'tag'
          ? (current: string[]) => [...current, ...given]
          : (current: string[]) => current.filter((tag) => !keys.has(foldSearchText(tag)));
      return (id) => updatePhoto(deps, viewer, id, { tags: change });
    }
  }
}
