/**
 * Applies changes to selected photos. The display changes at once if that is safe; messages report failures
 * and offer undo.
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BatchOutcome, PhotoItem } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import type { BulkPhotoChange } from '../photos/bulk-actions.ts';
import {
  createReactionPatch,
  type PhotoList,
  patchCachedPhoto,
  refreshPhotoList,
  type SharedPhotoFields,
} from '../photos/queries.ts';
import type { PhotoSelectionState } from '../photos/wall/selection-state.ts';
import { describeError } from '../ui/error-notice.tsx';
import { showToast } from '../ui/toast.tsx';
import { chooseNarrowerLevel } from '../visibility/levels.ts';
import { changePhotosInBatches, fetchTaggedPhotoIds, invalidateAffectedQueries } from './queries.ts';
import { describeBulkFailures, describeBulkResult } from './result-texts.ts';

type PhotoPatch = <Shown extends SharedPhotoFields>(photo: Shown) => Shown;

/** Actions that remove photos from the displayed list. */
const removingActions: BulkPhotoChange['action'][] = ['delete', 'restore', 'purge'];

export function useBulkChanges(list: PhotoList, selecting: PhotoSelectionState) {
  const client = useQueryClient();
  const user = useUser();
  const [busy, setBusy] = useState<string>();
  const { marks, setSelected, setLeaving } = selecting;

  const changeSelected = (given: BulkPhotoChange) =>
    busy === undefined ? changePhotos(given, [...marks.selected.values()]) : Promise.resolve();

  async function changePhotos(given: BulkPhotoChange, photos: PhotoItem[]): Promise<void> {
    setBusy(t('working'));
    try {
      const undone = await prepareUndo(given, photos, user?.id ?? 0);
      const outcome = await applyChange(
        given,
        photos.map(({ id }) => id),
        photos,
      );
      const done = outcome.success;
      const changed = new Set(done);
      const rest = photos.filter(({ id }) => !changed.has(id));
      const kept = new Set(rest.map(({ id }) => id));
      if (outcome.error) showFailure(outcome.error, () => void changePhotos(given, rest));
      else if (kept.size > 0)
        showToast({ text: describeBulkFailures(outcome, photos.length), isError: true });
      const isGone = removingActions.includes(given.action);
      setSelected(
        new Map(
          photos
            .filter(({ id }) => kept.has(id) || !isGone)
            .map((photo) => [photo.id, updatePhoto(photo, given, kept)]),
        ),
      );
      if (done.length === 0) return;
      const undo = undone?.(new Set(done));
      showToast({
        text: describeBulkResult(given, done.length),
        ...(undo?.some(({ ids }) => ids.length > 0) && {
          action: { label: t('undoLast'), perform: () => void undoChange(undo) },
        }),
      });
    } finally {
      setBusy(undefined);
    }
  }

  /** Changes the cached photos at once, and restores those photos for which the API failed. */
  async function applyChange(
    given: BulkPhotoChange,
    ids: number[],
    photos: PhotoItem[],
  ): Promise<BatchResult> {
    const patch = createPatch(given);
    const isGone = removingActions.includes(given.action);
    if (patch) for (const id of ids) patchCachedPhoto(client, id, patch);
    if (isGone) setLeaving(new Set(ids));
    let reached: BatchOutcome = { success: [], failed: [] };
    const outcome = await changePhotosInBatches(ids, given, ({ success, failed }) => {
      reached = { success: [...success], failed: [...failed] };
      setBusy(t('workingOf', { done: success.length + failed.length, total: ids.length }));
    }).catch((error: Error): BatchResult => ({ ...reached, error }));
    const done = new Set(outcome.success);
    if (patch)
      restorePhotos(
        client,
        photos.filter(({ id }) => !done.has(id)),
      );
    invalidateAffectedQueries(client, given);
    // The change may affect which photos a search or an album contains.
    if (done.size > 0 && given.action !== 'favorite' && given.action !== 'unfavorite') {
      await refreshPhotoList(client, list).catch(() =>
        client.invalidateQueries({ queryKey: ['photos', 'list'] }),
      );
    }
    setLeaving(new Set());
    return outcome;
  }

  async function undoChange(undo: UndoSteps): Promise<void> {
    const all: BatchOutcome = { success: [], failed: [] };
    try {
      for (const [at, { ids, change }] of undo.entries()) {
        const { success, failed, error } = await applyChange(change, ids, []);
        all.success.push(...success);
        all.failed.push(...failed);
        if (!error) continue;
        const left = { ids: ids.filter((id) => !success.includes(id)), change };
        return showFailure(error, () => void undoChange([left, ...undo.slice(at + 1)]));
      }
    } finally {
      setBusy(undefined);
    }
    if (all.failed.length > 0) {
      showToast({ text: describeBulkFailures(all, all.failed.length + all.success.length), isError: true });
    } else if (all.success.length > 0) showToast({ text: t('undone') });
  }

  return { changeSelected, busy };
}

/** Results of a change so far; `error` is set if a batch failed. */
type BatchResult = BatchOutcome & { error?: Error };

function showFailure(error: Error, retry: () => void): void {
  showToast({ text: describeError(error), isError: true, action: { label: t('retry'), perform: retry } });
}

type UndoSteps = { ids: number[]; change: BulkPhotoChange }[];

const oppositeAction: Partial<Record<BulkPhotoChange['action'], BulkPhotoChange['action']>> = {
  delete: 'restore',
  restore: 'delete',
  favorite: 'unfavorite',
  unfavorite: 'favorite',
};

/**
 * Returns a function that builds the undo steps. Reads the state before the change, to undo only real
 * changes.
 */
async function prepareUndo(
  change: BulkPhotoChange,
  photos: PhotoItem[],
  user: number,
): Promise<((done: Set<number>) => UndoSteps) | undefined> {
  const { action, tags = [], shift } = change;
  // A new date, place or rating replaces values that the page does not know, so only a shift has an opposite.
  if (shift !== undefined) return (done) => [{ ids: [...done], change: { action: 'date', shift: -shift } }];
  if (action === 'tag') {
    // A photo that already has the tag keeps the tag after undo.
    const tagged = await Promise.all(tags.map((tag) => fetchTaggedPhotoIds(user, tag))).catch(() => [
      undefined,
    ]);
    if (tagged.includes(undefined)) return undefined;
    return (done) =>
      tags.map((tag, at) => ({
        ids: [...done].filter((id) => !tagged[at]!.has(id)),
        change: { action: 'untag', tags: [tag] },
      }));
  }
  if (action === 'visibility') {
    // Only the owner can restore a wider level.
    const own = photos.filter((photo) => photo.user.id === user);
    const changed = own.filter(({ visibility }) => visibility !== change.visibility);
    return (done) => restoreLevels(changed, done);
  }
  const opposite = oppositeAction[action];
  if (!opposite) return undefined;
  const changed = photos.filter((photo) => isChangedBy(action, photo)).map(({ id }) => id);
  return (done) => [{ ids: changed.filter((id) => done.has(id)), change: { action: opposite } }];
}

/** Returns a step for each own level that the changed photos had. */
function restoreLevels(photos: PhotoItem[], done: Set<number>): UndoSteps {
  const changed = photos.filter(({ id }) => done.has(id));
  return [...Map.groupBy(changed, ({ visibility }) => visibility)].map(([visibility, some]) => ({
    ids: some.map(({ id }) => id),
    change: { action: 'visibility', visibility },
  }));
}

function isChangedBy(action: BulkPhotoChange['action'], { is_favorited }: PhotoItem): boolean {
  switch (action) {
    case 'favorite':
      return !is_favorited;
    case 'unfavorite':
      return is_favorited;
    default:
      return true;
  }
}

function createPatch({ action, visibility }: BulkPhotoChange): PhotoPatch | undefined {
  switch (action) {
    case 'favorite':
    case 'unfavorite':
      return createReactionPatch({ reaction: 'favorite', isSet: action === 'favorite' });
    case 'visibility':
      // The album may narrow a wider level, so the mark changes at once only if the level is narrower.
      return (photo) => ({
        ...photo,
        visibility: visibility!,
        effective_visibility: chooseNarrowerLevel(visibility!, photo.effective_visibility),
      });
    default:
      return undefined;
  }
}

function updatePhoto(photo: PhotoItem, change: BulkPhotoChange, failed: Set<number>): PhotoItem {
  return failed.has(photo.id) ? photo : (createPatch(change)?.(photo) ?? photo);
}

/** Restores the cached photos to their state before the change. */
function restorePhotos(client: QueryClient, photos: PhotoItem[]): void {
  for (const { id, favorites, is_favorited, visibility, effective_visibility } of photos) {
    const old = { favorites, is_favorited, visibility, effective_visibility };
    patchCachedPhoto(client, id, (photo) => ({ ...photo, ...old }));
  }
}
